#include "lint/device/device_facts.hpp"

#include <map>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lint/rule.hpp"

namespace wheelarch {
namespace {

class Package {
public:
    explicit Package(const std::map<std::string, std::string>& texts) : texts_(texts) {
        for (const auto& [path, text] : texts_) {
            files_.emplace(path, SourceFile{path, text, SourceFile::Language::cuda});
        }
    }

    // The archs at which the first hit of arch-gate begins, or nothing.
    std::string first_gate(const std::string& path) {
        DevicePackage package([this](const std::string& name) {
            const auto found = files_.find(name);
            return found == files_.end() ? nullptr : &found->second;
        });
        std::vector<LintHit> hits;
        const SourceFile& file = files_.at(path);
        find_rule("arch-gate")->in_device_code(package.facts(file), hits);
        return hits.empty() || hits[0].needs.empty() ? "" : torch_name(hits[0].needs[0].at);
    }

private:
    std::map<std::string, std::string> texts_;
    std::map<std::string, SourceFile> files_;
};

std::string gate_in(const std::string& text) {
    return Package({{"a.cu", text}}).first_gate("a.cu");
}

const std::string kAsk = "#if MIN_ARCH <= __CUDA_ARCH__\nwork();\n#endif\n";

TEST_CASE("a number that a header of the package names") {
    CHECK(Package({{"src/a.cu", "#include \"b.h\"\n" + kAsk}, {"src/b.h", "#define MIN_ARCH 890\n"}})
              .first_gate("src/a.cu") == "8.9");
    CHECK(Package({{"src/a.cu", "#include \"../inc/b.h\"\n" + kAsk}, {"inc/b.h", "#define MIN_ARCH 890\n"}})
              .first_gate("src/a.cu") == "8.9");
    CHECK(Package({{"src/a.cu", "#include <inc/b.h>\n" + kAsk}, {"inc/b.h", "#define MIN_ARCH 890\n"}})
              .first_gate("src/a.cu") == "8.9");
}

TEST_CASE("through two headers, each with a guard") {
    CHECK(Package({{"a.cu", "#include \"b.h\"\n" + kAsk},
                   {"b.h", "#ifndef B\n#define B\n#include \"c.h\"\n#endif\n"},
                   {"c.h", "#ifndef C\n#define C\n#define MIN_ARCH 890\n#endif\n"}})
              .first_gate("a.cu") == "8.9");
}

TEST_CASE("a header that is not the package's, and one outside it") {
    CHECK(Package({{"a.cu", "#include \"none.h\"\n#include \"../../b.h\"\n" + kAsk}}).first_gate("a.cu") == "");
}

TEST_CASE("headers that include themselves and each other") {
    CHECK(Package({{"a.cu", "#include \"a.cu\"\n#include \"b.h\"\n" + kAsk},
                   {"b.h", "#include \"a.cu\"\n#include \"b.h\"\n#define MIN_ARCH 890\n"}})
              .first_gate("a.cu") == "8.9");
}

TEST_CASE("macros that name themselves or more than can be followed are not known") {
    CHECK(gate_in("#define A A\n#if A >= __CUDA_ARCH__\nwork();\n#endif\n") == "");
    CHECK(gate_in("#define A B\n#define B A\n#if A <= __CUDA_ARCH__\nwork();\n#endif\n") == "");
    std::string chain = "#define A0 1\n";
    for (int i = 1; i < 200; ++i) {
        chain += "#define A" + std::to_string(i) + " (A" + std::to_string(i - 1) + "+A" + std::to_string(i - 1) + ")\n";
    }
    CHECK(gate_in(chain + "#if A199 <= __CUDA_ARCH__\nwork();\n#endif\n") == "");
}

TEST_CASE("conditions that are no conditions") {
    for (const char* condition : {"", "(", ")", "__CUDA_ARCH__ >=", ">= 890", "&& __CUDA_ARCH__", "defined", "defined(",
                                  "__CUDA_ARCH__ / 0", "__CUDA_ARCH__ % 0 == 1", "F(__CUDA_ARCH__", "'a' >= \"b\"",
                                  "9223372036854775807 + __CUDA_ARCH__", "-(-9223372036854775807 - 1)", "1 ? 2"}) {
        INFO(std::string(condition));
        CHECK(gate_in("#if " + std::string(condition) +
                      "\nwork();\n#endif\n#if __CUDA_ARCH__ >= 890\nwork();\n#endif\n") == "8.9");
    }
}

TEST_CASE("branches without an end, ends without a beginning") {
    CHECK(gate_in("#endif\n#else\n#elif 1\n#if __CUDA_ARCH__ >= 890\nwork();\n") == "8.9");
    CHECK(gate_in("}}}) ; else #endif;\n#if __CUDA_ARCH__ >= 890\nwork();\n#else") == "8.9");
    CHECK(gate_in("if (__CUDA_ARCH__ >= 890) {\n#endif\nwork();") == "8.9");
    CHECK(gate_in("if (__CUDA_ARCH__ >= 890") == "");
}

TEST_CASE("nesting deeper than anyone writes") {
    std::string deep;
    std::string ends;
    for (int i = 0; i < 10'000; ++i) {
        deep += "#if X\n";
        ends += "#endif\n";
    }
    CHECK(gate_in(deep + ends + "#if __CUDA_ARCH__ >= 890\nwork();\n#endif\n") == "8.9");
    CHECK(gate_in("#if " + std::string(100'000, '(') + "\n#endif\n#if __CUDA_ARCH__ >= 890\nwork();\n#endif\n") ==
          "8.9");
    CHECK(gate_in("#if " + std::string(100'000, '!') + "1\n#endif\n#if __CUDA_ARCH__ >= 890\nwork();\n#endif\n") ==
          "8.9");
}

TEST_CASE("the place of a condition is found from a place behind it") {
    const std::string text = "\n\nif (f(\n\nasm(\"trap;\")) &&\n__CUDA_ARCH__ >= 890) {\nwork();\n}\n";
    const SourceFile file{"a.cu", text, SourceFile::Language::cuda};
    DevicePackage package([](const std::string&) { return nullptr; });
    const DeviceFacts& facts = package.facts(file);
    REQUIRE(facts.gates.size() == 1);
    CHECK(facts.gates[0].place.line == 3);
    CHECK(facts.gates[0].place.column == 1);
    REQUIRE(facts.ptx.size() == 1);
    CHECK(facts.ptx[0].place.line == 5);
}

TEST_CASE("a condition that is written again asks the macros of its place") {
    const std::string ask = "#if A <= __CUDA_ARCH__\nwork();\n#endif\n";
    const std::string text = "#define A 0\n" + ask + ask + "#undef A\n#define A 890\n" + ask;
    const SourceFile file{"a.cu", text, SourceFile::Language::cuda};
    DevicePackage package([](const std::string&) { return nullptr; });
    const DeviceFacts& facts = package.facts(file);
    REQUIRE(facts.gates.size() == 1);
    CHECK(facts.gates[0].place.line == 10);
}

// None of these is of use to anyone; each once took minutes or gigabytes.
TEST_CASE("more than can be followed comes to an end") {
    std::string chain = "#define A0 __CUDA_ARCH__\n";
    for (int i = 1; i < 30'000; ++i) {
        chain += fmt::format("#define A{} (A{} + 1)\n#if A{} >= 890\nwork();\n#endif\n", i, i - 1, i);
    }
    CHECK(gate_in(chain) == "8.9");

    std::string line;
    for (int i = 0; i < 500'000; ++i) {
        line += "asm(\"trap;\");";
    }
    CHECK(gate_in(line + "\n" + kAsk) == "");

    std::map<std::string, std::string> headers;
    for (int i = 0; i < 600; ++i) {
        std::string& text = headers[fmt::format("{}.h", i)];
        for (int k = 0; k < 60; ++k) {
            text += fmt::format("#include \"{}.h\"\n#define M{}_{} 1\n", (i * 7 + k * 13) % 600, i, k);
        }
    }
    headers["a.cu"] = "#include \"0.h\"\n#if 890 <= __CUDA_ARCH__\nwork();\n#endif\n";
    CHECK(Package(headers).first_gate("a.cu") == "8.9");
}

TEST_CASE("bytes that are no text") {
    CHECK(gate_in(std::string("\0\xff\xfe\x80", 4) + "\n#if __CUDA_ARCH__ >= 890 // \xff\nwork(\"\xc3\");\n#endif\n") ==
          "8.9");
}

TEST_CASE("a file of another language has no facts") {
    const SourceFile file{"a.py", "#if __CUDA_ARCH__ >= 890\nwork();\n#endif\n", SourceFile::Language::python};
    DevicePackage package([](const std::string&) { return nullptr; });
    CHECK(package.facts(file).gates.empty());
}

TEST_CASE("a condition is shown on one line, and printable") {
    const std::string text = "#if defined(__CUDA_ARCH__) && \\\n    __CUDA_ARCH__ >= 890 \x1b[0m\nwork();\n#endif\n";
    const SourceFile file{"a.cu", text, SourceFile::Language::cuda};
    DevicePackage package([](const std::string&) { return nullptr; });
    std::vector<LintHit> hits;
    find_rule("arch-gate")->in_device_code(package.facts(file), hits);
    CHECK(hits.empty());  // what follows is no expression
    const std::string spliced = "#if defined(__CUDA_ARCH__) && \\\n    __CUDA_ARCH__ >= 890 // a\nwork();\n#endif\n";
    const SourceFile other{"b.cu", spliced, SourceFile::Language::cuda};
    find_rule("arch-gate")->in_device_code(package.facts(other), hits);
    REQUIRE(hits.size() == 1);
    CHECK(hits[0].what == "defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890 // a");
}

}  // namespace
}  // namespace wheelarch
