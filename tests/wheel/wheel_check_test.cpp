// What a wheel says of itself: RECORD, METADATA, WHEEL, the folder's name. Each with a near miss.
#include "wheel/wheel_check.hpp"

#include <doctest/doctest.h>

#include "support/damage.hpp"
#include "support/temporary_folder.hpp"
#include "support/wheel_builder.hpp"

namespace wheelarch {
namespace {

std::string findings_text(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        text += std::string(name(finding.severity)) + "[" + finding.rule + "] " + finding.place + ": " +
                finding.message + "\nfix: " + finding.fix + "\n";
    }
    return text;
}

std::string check_archive(const std::string& archive, const std::string& file_name = kWheelName) {
    const TemporaryFolder folder;
    return findings_text(check_wheel(take_inventory(folder.write(file_name, archive), {.hash_members = true})));
}

std::string check(const WheelSpec& spec, const std::string& file_name = kWheelName) {
    return check_archive(build_wheel(spec), file_name);
}

// With this RECORD after the rows that are true.
std::string check_with_record(const std::function<void(std::string&)>& edit) {
    return check({.edit_record = edit});
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), with);
}

constexpr char kPackAgain[] = "\nfix: pack the wheel again, which writes RECORD anew: `wheel unpack`, `wheel pack`\n";
const std::string kPlace = std::string(kWheelName) + " → ";
const std::string kMismatch = "error[record-mismatch] " + kPlace;

TEST_CASE("a good wheel") {
    CHECK(check({}) == "");
    CHECK(check({.files = {{.name = "pkg/", .method = 0},
                           {.name = "pkg/a, \"b\".py", .content = "1"},
                           {.name = "pkg/na\xc3\xafve.py", .content = "2", .both = [](ZipHeader& header) {
                                header.flags = 0x0800;
                            }}}}) == "");
}

TEST_CASE("build tags, compressed tag sets, normalised names") {
    CHECK(
        check(
            {.wheel =
                 "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py2-none-any\nTag: py3-none-any\nBuild: 1build2\n"},
            "pkg-1.0-1build2-py2.py3-none-any.whl") == "");
    CHECK(check({.dist_info = "My.Pkg-1.0+CU128.dist-info",
                 .metadata = "Metadata-Version: 2.1\nName: my-pkg\nVersion: 1.0+cu128\n",
                 .wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py2.py3-none-any\n"},
                "My.Pkg-1.0+CU128-py3.py2-none-any.whl") == "");
    CHECK(check({.metadata = "Metadata-Version: 2.1\nName: pkg\nVersion: 1.0.0\n",
                 .wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp39-abi3-linux_x86_64\n"},
                "pkg-1.0-cp39-abi3-linux_x86_64.whl") == "");
}

TEST_CASE("no RECORD") {
    CHECK(
        check({.has_record = false}) ==
        "error[record-missing] " + kPlace +
            "pkg-1.0.dist-info/RECORD: the wheel does not hold it\nfix: build the wheel again, with a tool that writes "
            "wheels\n");
}

TEST_CASE("a file that RECORD does not list") {
    CHECK(check_with_record([](std::string& text) { text = text.substr(text.find('\n') + 1); }) ==
          kMismatch + "pkg/__init__.py: RECORD does not list it" + kPackAgain);
}

TEST_CASE("a row without a file") {
    CHECK(check_with_record([](std::string& text) { text += record_row("pkg/gone.py", "x"); }) ==
          kMismatch + "pkg/gone.py: RECORD lists it in line 5, but the wheel does not hold it" + kPackAgain);
}

TEST_CASE("a wrong hash and a wrong size") {
    CHECK(check_with_record([](std::string& text) { text = replaced(text, "sha256=", "sha256=A"); }) ==
          kMismatch +
              "pkg/__init__.py: its hash is sha256=nia_NpkRxFwkPGhBR7I_yeHc_PJX0pmhxjIBam_NM_Q, but RECORD says "
              "sha256=Ania_NpkRxFwkPGhBR7I_yeHc_PJX0pmhxjIBam_NM_Q" +
              kPackAgain);
    CHECK(check_with_record([](std::string& text) { text = replaced(text, ",6\n", ",7\n"); }) ==
          kMismatch + "pkg/__init__.py: it is 6 bytes long, but RECORD says 7" + kPackAgain);
    CHECK(check_with_record([](std::string& text) { text = replaced(text, ",6\n", ",\n"); }) == "");
}

TEST_CASE("padding of the hash is let pass") {
    CHECK(check_with_record([](std::string& text) { text = replaced(text, ",6\n", "=,6\n"); }) == "");
}

TEST_CASE("other hashes") {
    const auto with_hash = [](const std::string& hash) {
        return check_with_record(
            [&](std::string& text) { text = "pkg/__init__.py," + hash + ",6\n" + text.substr(text.find('\n') + 1); });
    };
    CHECK(with_hash("") == kMismatch + "pkg/__init__.py: RECORD lists it without a hash" + kPackAgain);
    CHECK(with_hash("md5=1B2M2Y8AsgTpgAmY7PhCfg") ==
          kMismatch +
              "pkg/__init__.py: RECORD has 'md5=1B2M2Y8AsgTpgAmY7PhCfg' for its hash, and only sha256 or stronger may "
              "stand there" +
              kPackAgain);
    CHECK(with_hash("sha512=abc") ==
          kMismatch + "pkg/__init__.py: RECORD has its sha512, and this program reads only sha256" + kPackAgain);
}

TEST_CASE("two rows for a file") {
    CHECK(check_with_record([](std::string& text) { text += text.substr(0, text.find('\n') + 1); }) == "");
    CHECK(check_with_record([](std::string& text) { text += record_row("pkg/__init__.py", "y"); }) ==
          kMismatch + "pkg/__init__.py: lines 1 and 5 of RECORD give it two hashes or sizes" + kPackAgain);
}

TEST_CASE("RECORD's own row may stand twice, and with a hash") {
    CHECK(check_with_record([](std::string& text) { text += record_row("pkg-1.0.dist-info/RECORD", "old"); }) == "");
    CHECK(check_with_record([](std::string& text) { text = replaced(text, "pkg-1.0.dist-info/RECORD,,\n", ""); }) ==
          "");
}

TEST_CASE("backslashes in RECORD") {
    CHECK(check_with_record([](std::string& text) { text = replaced(text, "pkg/__init__", "pkg\\__init__"); }) ==
          "warning[record-backslash] " + kPlace +
              "pkg-1.0.dist-info/RECORD: 1 row has backslashes instead of slashes in the path, the first in line 1 "
              "(pkg/__init__.py)\nfix: stamping rewrites them; build with a tool that writes slashes on Windows too\n");
}

TEST_CASE("a RECORD that is no CSV") {
    CHECK(check_with_record([](std::string& text) { text += "word\n"; }) ==
          kMismatch + "pkg-1.0.dist-info/RECORD: line 5: 1 field, expected 3 (path, hash, size)" + kPackAgain);
}

TEST_CASE("very many faults are counted") {
    WheelSpec spec;
    for (int i = 0; i < 60; ++i) {
        spec.files.push_back({.name = "pkg/" + std::to_string(i), .method = 0});
    }
    spec.edit_record = [](std::string& text) { text = text.substr(text.find("pkg-1.0")); };
    const std::string text = check(spec);
    CHECK(text.find("pkg/48: RECORD does not list it") != std::string::npos);
    CHECK(text.find("pkg/49: ") == std::string::npos);
    CHECK(text.ends_with(kMismatch + "pkg-1.0.dist-info/RECORD: 11 more faults like these" + kPackAgain));
}

TEST_CASE("signatures of RECORD") {
    CHECK(check({.files = {{.name = "pkg-1.0.dist-info/RECORD.jws", .content = "{}"}}}) ==
          "error[record-signature] " + kPlace +
              "pkg-1.0.dist-info/RECORD.jws: a signature of RECORD, which stamping would break\nfix: leave it out: "
              "installers do not check it, and it is deprecated; sign the whole file instead\n");
}

TEST_CASE("no dist-info folder, and two of them") {
    CHECK(check_archive(build_zip({.entries = {{.name = "pkg/a.py"}}})) ==
          "error[dist-info] " + std::string(kWheelName) +
              ": no folder 'pkg-1.0.dist-info' in it\nfix: build the wheel again, with a tool that writes wheels\n");
    CHECK(check({.files = {{.name = "pkg-0.9.dist-info/METADATA"}}}) ==
          "error[dist-info] " + std::string(kWheelName) +
              ": 2 folders *.dist-info in it, expected one: pkg-0.9.dist-info, pkg-1.0.dist-info\nfix: build the wheel "
              "again, with a tool that writes wheels\n");
}

TEST_CASE("a dist-info folder of another name") {
    CHECK(check({.dist_info = "dpvo-cuda-0.0.0+cu128torch2.8.dist-info",
                 .metadata = "Metadata-Version: 2.1\nName: dpvo-cuda\nVersion: 0.0.0+cu128torch2.8\n",
                 .wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-cp311-win_amd64\n"},
                "dpvo_cuda-0.0.0+cu128torch2.8-cp311-cp311-win_amd64.whl") ==
          "error[dist-info] dpvo_cuda-0.0.0+cu128torch2.8-cp311-cp311-win_amd64.whl → "
          "dpvo-cuda-0.0.0+cu128torch2.8.dist-info: the folder is not called "
          "'dpvo_cuda-0.0.0+cu128torch2.8.dist-info', as the file name has it\nfix: build the wheel again, or rename "
          "it, so that both say the same\n");
    CHECK(check({.dist_info = "Pkg-1.0.0.dist-info"}) ==
          "warning[dist-info] " + kPlace +
              "Pkg-1.0.0.dist-info: the folder is not called 'pkg-1.0.dist-info', as the file name has it\nfix: "
              "installers take it, but the package index looks for that very name: build with a newer tool\n");
}

TEST_CASE("METADATA of another version or package, or without them") {
    const std::string at =
        "error[metadata-mismatch] cc_torch-0.2+cu130torch29-cp312-cp312-linux_x86_64.whl → "
        "cc_torch-0.2+cu130torch29.dist-info/METADATA: ";
    const auto with = [](const std::string& metadata) {
        return check(
            {.dist_info = "cc_torch-0.2+cu130torch29.dist-info", .metadata = "Metadata-Version: 2.1\n" + metadata},
            "cc_torch-0.2+cu130torch29-cp312-cp312-linux_x86_64.whl");
    };
    const std::string refuse =
        "\nfix: installers refuse such a wheel or install it again each time: build the wheel "
        "again, or rename it, so that both say the same\n";
    const std::string build = "\nfix: build the wheel again\n";
    CHECK(with("Name: cc-torch\nVersion: 0.2+cu130torch29\n") == "");
    CHECK(with("Name: CC.Torch\nVersion: 0.2.0+CU130torch29\n") == "");
    CHECK(with("Name: cc-torch\nVersion: 0.2\n") ==
          at + "Version is '0.2', but '0.2+cu130torch29' in the file name" + refuse);
    CHECK(with("Name: cc-torch\nVersion: 0.2+cu130torch2.9\n") ==
          at + "Version is '0.2+cu130torch2.9', but '0.2+cu130torch29' in the file name" + refuse);
    CHECK(with("Name: torch\nVersion: 0.2+cu130torch29\n") ==
          at + "Name is 'torch', but 'cc_torch' in the file name" + refuse);
    CHECK(with("Name: cc-torch\n\nVersion: 0.2+cu130torch29\n") == at + "no line Version: in it, expected one" + build);
    CHECK(with("Name:\nVersion: 0.2+cu130torch29\n") == at + "an empty line Name: in it, expected one" + build);
    CHECK(with("Name: cc-torch\nName: x\nVersion: 0.2+cu130torch29\n") ==
          at + "2 lines Name: in it, expected one" + build);
    CHECK(check({.metadata = std::nullopt}) ==
          "error[metadata-mismatch] " + kPlace + "pkg-1.0.dist-info/METADATA: the wheel does not hold it" + build);
}

TEST_CASE("versions that installers take for the same") {
    const auto with = [](const std::string& in_name, const std::string& in_metadata) {
        return check({.dist_info = "pkg-" + in_name + ".dist-info",
                      .metadata = "Metadata-Version: 2.1\nName: pkg\nVersion: " + in_metadata},
                     "pkg-" + in_name + "-cp312-cp312-linux_x86_64.whl");
    };
    CHECK(with("1.0.post1", "1.post1") == "");
    CHECK(with("1.0rc1", "1rc1") == "");
    CHECK(with("1!1", "1!1.0.0") == "");
    CHECK(with("0.0", "0") == "");
    CHECK(with("10", "1") != "");
    CHECK(with("1.0.post1", "1.0.dev1") != "");
    CHECK(with("1!1", "1") != "");
}

TEST_CASE("tags in WHEEL") {
    const std::string at = "[wheel-tags] " + kPlace + "pkg-1.0.dist-info/WHEEL: ";
    const std::string build = "\nfix: build the wheel again\n";
    const auto with = [](const std::string& wheel) {
        return check({.wheel = (wheel.starts_with("Wheel-Version") ? "" : "Wheel-Version: 1.0\n") +
                               ("Root-Is-Purelib: false\n" + wheel)});
    };
    CHECK(check({.wheel = std::nullopt}) == "error" + at + "the wheel does not hold it" + build);
    CHECK(with("Wheel-Version: 1.0\n") == "error" + at + "no line Tag: in it" + build);
    const std::string refuse =
        " is not of the form python-abi-platform\nfix: uv refuses such a wheel: build it again, or set its tags with "
        "`wheel tags`\n";
    CHECK(with("Tag: cp312-cp312-linux_x86_64\nTag: \n") == "error" + at + "the tag ''" + refuse);
    CHECK(with("Tag: -manylinux_2_17_x86_64\n") == "error" + at + "the tag '-manylinux_2_17_x86_64'" + refuse);
    CHECK(with("Tag: 1-cp312-cp312-linux_x86_64\n") == "error" + at + "the tag '1-cp312-cp312-linux_x86_64'" + refuse);
    CHECK(with("Tag: cp312-cp312-manylinux_2_28_x86_64\n") ==
          "warning" + at +
              "its tags are cp312-cp312-manylinux_2_28_x86_64, but cp312-cp312-linux_x86_64 in the file name\nfix: set "
              "both with `wheel tags` instead of renaming the file\n");
    CHECK(with("Tag: cp312-cp312-linux_x86_64\nBuild: 2\n") ==
          "warning" + at +
              "its build tag is '2', but missing in the file name\nfix: set both with `wheel tags --build` instead of "
              "renaming the file\n");
}

TEST_CASE("what the strictest index refuses") {
    CHECK(check({.files = {{.name = "pkg/na\xc3\xafve.py"}}}) ==
          "error[member-path] " + kPlace +
              "pkg/na\xc3\xafve.py: the name is not ASCII and not marked as UTF-8, so that installers differ on what "
              "it is\nfix: pack the wheel again with Python's zipfile\n");
    const std::string zeros(std::size_t{70} << 20U, '\0');
    CHECK(check({.files = {{.name = "pkg/zeros", .content = zeros}}})
              .starts_with("warning[index-refuses] " + std::string(kWheelName) + ": it unpacks to 73400"));
    CHECK(check({.files = {{.name = "pkg/zeros", .content = zeros.substr(0, std::size_t{60} << 20U)}}}) == "");
}

TEST_CASE("a file that is no wheel by its name, or has changed") {
    const TemporaryFolder folder;
    const auto zip = folder.write("a.zip", build_wheel({}));
    CHECK(error_text([&] { take_inventory(zip, {}); }).starts_with("a.zip: a zip archive, but not a wheel"));
    const Inventory wheel = take_inventory(folder.write(kWheelName, build_wheel({})), {.hash_members = true});
    folder.write(kWheelName, build_wheel({.files = {{.name = "pkg/__init__.py", .content = "x = 2\n"}}}));
    CHECK(
        error_text([&] { check_wheel(wheel); }) ==
        std::string(kWheelName) +
            ": the file has changed since it was inspected\nfix: let nothing else write to it meanwhile, and run this "
            "again");
}

TEST_CASE("damaged metadata is survived") {
    const TemporaryFolder folder;
    const auto check_as = [&](std::optional<std::string> WheelSpec::* part, const std::string& text) {
        check_damage(text, [&](ByteView bytes) {
            WheelSpec spec;
            spec.*part = std::string(bytes.text());
            check_wheel(take_inventory(folder.write(kWheelName, build_wheel(spec)), {.hash_members = true}));
        });
    };
    check_as(&WheelSpec::metadata, "Name: pkg\nVersion: 1.0\n");
    check_as(&WheelSpec::wheel, "Tag: cp312-cp312-linux_x86_64\nBuild: 1\n");
}

}  // namespace
}  // namespace wheelarch
