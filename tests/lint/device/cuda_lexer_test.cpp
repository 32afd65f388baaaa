#include "lint/device/cuda_lexer.hpp"

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

// The texts of all tokens with a bar between; a line's end is `$`.
std::string tokens(std::string_view text, CudaLexer::Mode mode = CudaLexer::Mode::file) {
    CudaLexer lexer(text, mode);
    std::string all;
    for (CudaToken token = lexer.next(); token.kind != CudaToken::Kind::end; token = lexer.next()) {
        all += (all.empty() ? "" : "|") + std::string(token.kind == CudaToken::Kind::line_end ? "$" : token.text);
    }
    return all;
}

TEST_CASE("words, numbers, operators") {
    CHECK(tokens("a1 >= 0x1'0u&&b") == "a1|>=|0x1'0u|&&|b");
    CHECK(tokens("1e+5-.5f x.y") == "1e+5|-|.5f|x|.|y");
    CHECK(tokens("a<<b::c##d") == "a|<<|b|::|c|##|d");
}

TEST_CASE("comments are blanks") {
    CHECK(tokens("a/* b */c // d\ne") == "a|c|e");
    CHECK(tokens("a // b \\\n c\nd") == "a|d");
    CHECK(tokens("a // b \\\r\n c\r\nd") == "a|d");
    CHECK(tokens("a /* never ends") == "a");
    CHECK(tokens("a /*/ b */ c") == "a|c");
    CHECK(tokens("\"/*\" b // \"") == "\"/*\"|b");
}

TEST_CASE("splices join words, numbers, operators and strings") {
    CHECK(tokens("__CUDA_\\\nARCH__") == "__CUDA_ARCH__");
    CHECK(tokens("89\\\r\n0 >\\\n= 1") == "890|>=|1");
    CHECK(tokens("\"a\\\nb\"") == "\"ab\"");
    CHECK(tokens("a \\\n b") == "a|b");
    CHECK(tokens("#if a \\\n b\nc") == "#|if|a|b|$|c");
}

TEST_CASE("literals") {
    CHECK(tokens("\"a\\\"b\" 'c' L\"d\" u8R\"x()\")x\" e") == "\"a\\\"b\"|'c'|L\"d\"|u8R\"x()\")x\"|e");
    CHECK(tokens("R\"(#if\n\\\n)\" b") == "R\"(#if\n\\\n)\"|b");
    CHECK(tokens("R\"never ends") == "R\"never ends");
    CHECK(tokens("don't\nb") == "don|'t|b");
    CHECK(string_body("\"a\\n\"") == "a\\n");
    CHECK(string_body("R\"x(a)b)x\"") == "a)b");
    CHECK(string_body("R\"(a") == "");
    CHECK(string_body("<a>") == "");
}

TEST_CASE("digraphs and what looks like one") {
    CHECK(tokens("<: :> <% %> %:") == "[|]|{|}|#");
    CHECK(tokens("a<::b") == "a|<|::|b");
    CHECK(tokens("a<::>") == "a|[|]");
    CHECK(tokens("\?\?=if") == "?|?|=|if");
}

TEST_CASE("a directive begins a line and ends with it") {
    CHECK(tokens("  /* a */ # /* b */ if x\ny") == "#|if|x|$|y");
    CHECK(tokens("a #b") == "a|#|b");
    CHECK(tokens("#include <a'b.h>\nc") == "#|include|<a'b.h>|$|c");
    CHECK(tokens("#if a < b > c") == "#|if|a|<|b|>|c|$");
    CHECK(tokens("#error don't\nb") == "#|error|don|'t|$|b");
    CHECK(tokens("#if a\nb", CudaLexer::Mode::fragment) == "#|if|a|b");
    CHECK(tokens("\xef\xbb\xbf#if a") == "#|if|a|$");
}

bool begins_with_b(std::string_view word, bool /*has_digit*/) {
    return word.starts_with('b');
}

// The words that begin with b, and directives to their ends, once by next_word() and once by next(); with braces, too.
template <bool kBraces>
std::string chosen(std::string_view text, bool by_word) {
    CudaLexer lexer(text);
    std::string all;
    bool in_directive = false;
    for (;;) {
        const CudaToken token = by_word && !in_directive ? lexer.next_word<kBraces>(begins_with_b) : lexer.next();
        const bool is_word = token.kind == CudaToken::Kind::word && begins_with_b(token.text, false);
        const bool is_brace = kBraces && token.kind == CudaToken::Kind::punct && (token.is("{") || token.is("}"));
        in_directive =
            token.kind == CudaToken::Kind::directive || (in_directive && token.kind != CudaToken::Kind::line_end);
        if (is_word || is_brace || in_directive || token.kind == CudaToken::Kind::end) {
            all += "|" + std::string(token.text) + "@" + std::to_string(token.offset);
            all += is_word && token.has_digit ? "+" : "";
        }
        if (token.kind == CudaToken::Kind::end) {
            return all;
        }
    }
}

TEST_CASE("words by themselves are those among all tokens") {
    CHECK(chosen<false>("a b1 /* b2 */ \"b3\" 'b4' b\\\n5 u8R\"x(b6)\" b7)x\" 0b1'0b b8;\n # b9 a\nb10 %: b11", true) ==
          "|b1@2+|b5@24+|b8@53+|#@58|b9@60+|a@63|b10@65+|b11@72+|@75");
    std::mt19937 random(11);
    const std::string alphabet = "\"'\\\n\r/*R(#<:%>&|.e+0abbb8u{} \xff";
    for (int round = 0; round < 50'000; ++round) {
        std::string text;
        for (int i = 0; i < 24; ++i) {
            text += alphabet[random() % alphabet.size()];
        }
        INFO(text);
        REQUIRE(chosen<false>(text, true) == chosen<false>(text, false));
        REQUIRE(chosen<true>(text, true) == chosen<true>(text, false));
    }
}

TEST_CASE("any bytes come to an end, each once") {
    std::mt19937 random(7);
    const std::string alphabet = "\"'\\\n\r/*R(#<:%>&|.e+0aL8u \xff";
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (int i = 0; i < 24; ++i) {
            text += alphabet[random() % alphabet.size()];
        }
        CudaLexer lexer(text);
        std::size_t end = 0;
        std::size_t count = 0;
        for (CudaToken token = lexer.next(); token.kind != CudaToken::Kind::end; token = lexer.next()) {
            REQUIRE(token.offset >= end);
            end = token.offset;
            REQUIRE(++count <= 2 * text.size() + 2);
        }
    }
}

}  // namespace
}  // namespace wheelarch
