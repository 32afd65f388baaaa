#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lint/build/cmake_lexer.hpp"
#include "lint/build/nvcc_targets.hpp"
#include "lint/build/python_lexer.hpp"
#include "lint/build/shell_words.hpp"

namespace wheelarch {
namespace {

std::string python(std::string_view text) {
    std::string all;
    for (const PyToken& token : lex_python(text)) {
        all += token.kind == PyToken::Kind::newline  ? "$ "
               : token.kind == PyToken::Kind::string ? fmt::format("'{}' ", token.text)
                                                     : fmt::format("{} ", token.text);
    }
    return all;
}

std::string cmake(std::string_view text) {
    std::string all;
    for (const CMakeCommand& command : lex_cmake(text)) {
        all += command.name + "(";
        for (const CMakeArgument& argument : command.arguments) {
            all += fmt::format("<{}>", argument.text);
        }
        all += ") ";
    }
    return all;
}

std::string shell(std::string_view text) {
    std::string all;
    for (const ShellCommand& command : lex_shell(text)) {
        all += command.joined == ShellCommand::Joined::by_and  ? "&& "
               : command.joined == ShellCommand::Joined::by_or ? "|| "
                                                               : "";
        for (const ShellWord& word : command.words) {
            all += fmt::format("<{}>", word.text);
        }
        all += " ";
    }
    return all;
}

}  // namespace

TEST_CASE("python lexer: strings, joined lines, comments") {
    CHECK(python("a = 'x' # y\nb") == "a = 'x' $ b $ ");
    CHECK(python("f(1,\n  2)\\\n + 3\n") == "f ( 1 , 2 ) + 3 $ ");
    CHECK(python("r'a\\'b' f\"{x}\" rb'''a\nb''' \"\"\"q\"\"\"") == "'a\\'b' '{x}' 'a\nb' 'q' $ ");
    CHECK(python("'open\nx") == "'open' $ x $ ");
    CHECK(python("a |= b // c != d") == "a |= b // c != d $ ");
    CHECK(python("\r\n\r\na\r\nb") == "a $ b $ ");
    CHECK(python("") == "$ ");
    CHECK(python(")))]") == ") ) ) ] $ ");
    const auto tokens = lex_python("if x:\n\ty\n");
    CHECK(tokens[4].indent == 8);
    CHECK(tokens[4].line == 2);
    CHECK(tokens[4].column == 2);
}

TEST_CASE("cmake lexer: arguments and comments") {
    CHECK(cmake("Set(A \"b;c\" d\\ e) # x\n") == "set(<A><b;c><d\\ e>) ");
    CHECK(cmake("if((A AND B) OR C)\nendif()\n") == "if(<(><A><AND><B><)><OR><C>) endif() ");
    CHECK(cmake("a([==[ x ]] ) ]==] #[[ y\n ]] z)") == "a(< x ]] ) ><z>) ");
    CHECK(cmake("a(-DX=\"b c\" \"q\\\"r\")") == "a(<-DX=\"b c\"><q\\\"r>) ");
    CHECK(cmake("a(b \"open") == "a(<b><open>) ");
    CHECK(cmake("#[[ open") == "");
    CHECK(cmake("a(b") == "a(<b>) ");
}

TEST_CASE("shell words: quotes, expansions, joins, here-documents") {
    CHECK(shell("a 'b c' \"d $e\" f\\ g # h\n") == "<a><b c><d $e><f g> ");
    CHECK(shell("a=\"${B:-c d}\" e && f || g; h\n") == "<a=${B:-c d}><e> && <f> || <g> <h> ");
    CHECK(shell("if a; then b; fi") == "<if> <a> <then> <b> <fi> ");
    CHECK(shell("cat <<-'E' > x\n\ta b\n\tE\nc\n") == "<cat><x> <c> ");
    CHECK(shell("a \\\n b\n") == "<a><b> ");
    CHECK(shell("echo $((1<<2)) $(b c)\nd") == "<echo><$((1<<2))><$(b c)> <d> ");
    CHECK(shell("a 'open") == "<a><open> ");
    CHECK(shell("a &&\nb") == "<a> && <b> ");
}

TEST_CASE("lexers: every cut of a script gives tokens") {
    const std::string text =
        "if x['a']:\n  set(A \"b\" [=[ c ]=]) # d\n  cat <<E\n ${F:-'g'} $(h) \\\nE\n'''i\r\n'''\xff\x80)\n";
    for (std::size_t end = 0; end <= text.size(); ++end) {
        const std::string_view part = std::string_view(text).substr(0, end);
        CHECK_FALSE(lex_python(part).empty());
        static_cast<void>(lex_cmake(part));
        static_cast<void>(lex_shell(part));
    }
}

TEST_CASE("nvcc targets") {
    const auto list = [](std::string_view flags) { return to_arch_list(nvcc_targets(flags)); };
    CHECK(list("-gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=compute_90") == "80-real;90-virtual");
    CHECK(list("-gencode=arch=compute_75,code=[sm_75,compute_75]") == "7.5+PTX");
    CHECK(list("-gencode arch=compute_75,code=\\\"sm_75,compute_75\\\"") == "7.5+PTX");
    CHECK(list("-arch=sm_90a") == "9.0a+PTX");
    CHECK(list("-arch compute_50") == "50-virtual");
    CHECK(list("--gpu-architecture=compute_80 --gpu-code=sm_80,sm_86") == "8.0;8.6");
    CHECK(nvcc_targets("-gencode arch=compute_${A},code=sm_${A}").empty());
    CHECK(nvcc_targets("sm_80 compute_80").empty());
    CHECK(is_target_flag("-gencode"));
    CHECK(is_target_flag("arch=compute_80,code=sm_80"));
    CHECK_FALSE(is_target_flag("-march=native"));
    CHECK_FALSE(is_target_flag("-archive"));
}

}  // namespace wheelarch
