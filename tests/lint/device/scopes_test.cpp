#include "lint/device/scopes.hpp"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace wheelarch {
namespace {

// `function k(kernel)`, `type A`, … for each declaration in the order of the text.
std::string declared(std::string_view text) {
    constexpr std::string_view kNames[] = {"", "function", "type", "alias", "instantiation", "value", "other"};
    constexpr std::string_view kKinds[] = {"", "kernel", "device", "host"};
    Scopes scopes;
    CudaLexer lexer(text, CudaLexer::Mode::fragment);
    std::string all;
    for (CudaToken token = lexer.next(); token.kind != CudaToken::Kind::end; token = lexer.next()) {
        const auto declaration = scopes.take(token);
        if (declaration == Scopes::Declaration::none) {
            continue;
        }
        all += fmt::format("{}{}", all.empty() ? "" : " | ", kNames[static_cast<std::size_t>(declaration)]);
        const CodeScope& scope = scopes.scope();
        if (declaration == Scopes::Declaration::function) {
            all += fmt::format(" {}::{} {}", scope.owner, scope.name, kKinds[static_cast<std::size_t>(scope.kind)]);
        } else if (declaration == Scopes::Declaration::type) {
            all += " " + scope.owner;
        } else if (declaration == Scopes::Declaration::alias) {
            all += fmt::format(" {}", scopes.alias());
        }
    }
    return all;
}

// For each `work` in the text, whether it is under an `if constexpr` that is not known: `01`.
std::string under_static(std::string_view body) {
    const std::string text = fmt::format("void f() {{ {} }}", body);
    Scopes scopes;
    CudaLexer lexer(text, CudaLexer::Mode::fragment);
    std::string all;
    for (CudaToken token = lexer.next(); token.kind != CudaToken::Kind::end; token = lexer.next()) {
        scopes.take(token);
        if (token.is("work")) {
            all += scopes.in_static_branch() ? '1' : '0';
        }
    }
    return all;
}

}  // namespace

TEST_CASE("scopes: what a declaration turns out to be") {
    CHECK(declared("__global__ void k(int* p) { if (p) { } }") == "function ::k kernel");
    CHECK(declared("template <int N> __device__ int f(X<(N > 1)> x) { return N; } int a;") ==
          "function ::f device | other");
    CHECK(declared("struct A final : B<C> { DEVICE_INLINE int f() { } int a; };") ==
          "type A | function A::f device | other | other");
    CHECK(declared("using T = A<int>; typedef int I; template class A<int>; int a = b; MACRO(x);") ==
          "alias T | alias I | instantiation | value | value");
    CHECK(declared("namespace a { int b[] = {1, 2}; }") == "other | value");
    CHECK(declared("__launch_bounds__(128) void f();") == "other");
    CHECK(declared("struct A { void operator()(int x) { } bool operator==(A) { } };") ==
          "type A | function A:: host | function A:: host | other");
}

TEST_CASE("scopes: a constructor's members are no body") {
    CHECK(declared("struct A { A(int x) : a{x}, b(x) { } int c; };") == "type A | function A:: host | other | other");
    CHECK(declared("struct A { A(int x) : a{x} { } int c; };") == "type A | function A:: host | other | other");
}

TEST_CASE("scopes: each branch of a directive begins with the same braces") {
    Scopes scopes;
    const auto tell = [&](std::string_view text) {
        CudaLexer lexer(text, CudaLexer::Mode::fragment);
        for (CudaToken token = lexer.next(); token.kind != CudaToken::Kind::end; token = lexer.next()) {
            scopes.take(token);
        }
    };
    scopes.directive("if");
    tell("void f(int a) {");
    CHECK(scopes.scope().name == "f");
    scopes.directive("else");
    CHECK(!scopes.in_function());
    tell("void g() {");
    scopes.directive("endif");
    CHECK(scopes.scope().name == "g");
    tell("}");
    CHECK(!scopes.in_function());
}

TEST_CASE("scopes: under an if constexpr that is not about the arch") {
    CHECK(under_static("work; if constexpr (T::x) { work; { work; } work; } else { work; } work;") == "011110");
    CHECK(under_static("if constexpr (T::x) work; else work; work;") == "110");
    CHECK(under_static("if constexpr (__CUDA_ARCH__ >= 900) { work; } else { work; } work;") == "000");
    CHECK(under_static("if (a) { work; } if constexpr (x) { work;") == "01");
}

}  // namespace wheelarch
