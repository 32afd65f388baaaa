// Own calls of the system and not Boost.Process, whose quoting on Windows loses a backslash before a quote.
#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/process.hpp"
#include "base/win32.hpp"

namespace wheelarch {
namespace {

constexpr char kCheckProgram[] = "check that the file is there and can be executed";

std::wstring lower_extension(const std::filesystem::path& file) {
    std::wstring text = file.extension().native();
    std::transform(text.begin(), text.end(), text.begin(),
                   [](wchar_t c) { return c >= L'A' && c <= L'Z' ? static_cast<wchar_t>(c - L'A' + L'a') : c; });
    return text;
}

// As the C library of the other program takes it apart: backslashes count only before a quote.
void append_quoted(std::wstring& line, std::wstring_view argument) {
    line += L" \"";
    std::size_t backslashes = 0;
    for (const wchar_t c : argument) {
        if (c == L'"') {
            line.append(backslashes + 1, L'\\');
        }
        backslashes = c == L'\\' ? backslashes + 1 : 0;
        line += c;
    }
    line.append(backslashes, L'\\');
    line += L'"';
}

std::wstring command_line(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
    std::wstring line = L"\"" + program.native() + L"\"";  // a path holds no quotes
    for (const std::string& argument : arguments) {
        append_quoted(line, wide(argument));
    }
    return line;
}

struct IgnoringCase {
    bool operator()(const std::wstring& one, const std::wstring& other) const {
        return ::CompareStringOrdinal(one.data(), static_cast<int>(one.size()), other.data(),
                                      static_cast<int>(other.size()), TRUE) == CSTR_LESS_THAN;
    }
};

// `NAME=value` and a NUL for each variable, and one more NUL.
// Of the folders of PATH, those that do not depend on the working folder.
std::wstring whole_paths(std::wstring_view path) {
    std::wstring text;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find(L';'), path.size());
        std::wstring_view folder = path.substr(0, end);
        const bool quoted = folder.size() > 1 && folder.front() == L'"' && folder.back() == L'"';
        if (std::filesystem::path(quoted ? folder.substr(1, folder.size() - 2) : folder).is_absolute()) {
            text.append(text.empty() ? L"" : L";").append(folder);
        }
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return text;
}

std::wstring environment_block(const EnvironmentChanges& changes, PassOn secrets) {
    std::map<std::wstring, std::wstring, IgnoringCase> variables;
    wchar_t* const ours = ::GetEnvironmentStringsW();
    for (const wchar_t* at = ours; at != nullptr && *at != L'\0'; at += std::wstring_view(at).size() + 1) {
        const std::wstring_view entry(at);
        const std::size_t sign = entry.find(L'=', 1);  // names like `=C:` begin with one
        if (sign != std::wstring_view::npos) {
            variables.emplace(entry.substr(0, sign), entry.substr(sign + 1));
        }
    }
    ::FreeEnvironmentStringsW(ours);
    std::erase_if(variables, [&](const auto& variable) {
        return is_kept_back(std::filesystem::path(variable.first).string(), secrets);
    });
    if (const auto path = variables.find(L"PATH"); path != variables.end()) {
        path->second = whole_paths(path->second);
    }
    // Nor do those that the program starts come from the working folder.
    variables.insert_or_assign(L"NoDefaultCurrentDirectoryInExePath", L"1");
    for (const auto& [name, value] : changes) {
        variables.erase(wide(name));
        if (value) {
            variables.emplace(wide(name), wide(*value));
        }
    }
    std::wstring block;
    for (const auto& [name, value] : variables) {
        block.append(name).append(L"=").append(value).append(1, L'\0');
    }
    return block.append(1, L'\0');
}

SECURITY_ATTRIBUTES* inheritable() {
    static SECURITY_ATTRIBUTES attributes = {sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    return &attributes;
}

// Takes pieces of what a program writes to one stream.
using Sink = std::function<void(std::string_view)>;

// Collects what a program writes to one stream, up to a limit, and reads on past it so that the program does not block.
class Collected {
public:
    Collected(Sink sink, bool& cut, std::uint64_t limit)
        : sink_(std::move(sink)), cut_(cut), room_(limit), ended_(::CreateEventW(nullptr, TRUE, FALSE, nullptr)) {
        HANDLE from = nullptr;
        HANDLE to = nullptr;
        if (::CreatePipe(&from, &to, inheritable(), 0) == 0 ||
            ::SetHandleInformation(from, HANDLE_FLAG_INHERIT, 0) == 0) {
            throw unchecked(fmt::format("cannot make a pipe: {}", failure_text()));
        }
        from_.reset(from);
        to_.reset(to);
    }
    ~Collected() {
        if (thread_.joinable()) {
            thread_.join();
        }
    }
    Collected(const Collected&) = delete;
    Collected& operator=(const Collected&) = delete;

    // Where the program writes to, until start().
    HANDLE end() const { return to_.get(); }
    // Signalled when the program and all that it started have closed the stream.
    HANDLE ended() const { return ended_.get(); }
    void start() {
        to_.reset();
        thread_ = std::thread([this] { read(); });
    }

private:
    void read() {
        DWORD size = 0;
        while (::ReadFile(from_.get(), buffer_.data(), static_cast<DWORD>(buffer_.size()), &size, nullptr) != 0) {
            const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(size, room_));
            sink_({buffer_.data(), taken});
            room_ -= taken;
            cut_ = cut_ || size > taken;
        }
        ::SetEvent(ended_.get());
    }

    Sink sink_;
    bool& cut_;
    std::uint64_t room_;
    OwnedHandle ended_;
    OwnedHandle from_;
    OwnedHandle to_;
    std::array<char, 64 << 10> buffer_ = {};
    std::thread thread_;
};

// A job, so that what the program starts ends with it, and all of it with us.
HANDLE make_job() {
    const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

// The program gets these handles and no other of ours: a pipe of another one's, held open, would keep its reader
// waiting.
class InheritedHandles {
public:
    explicit InheritedHandles(std::array<HANDLE, 3> handles) : handles_(handles) {
        SIZE_T size = 0;
        ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
        memory_.resize(size);
        ::InitializeProcThreadAttributeList(list(), 1, 0, &size);
        ::UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(), sizeof handles_,
                                    nullptr, nullptr);
    }
    InheritedHandles(const InheritedHandles&) = delete;
    InheritedHandles& operator=(const InheritedHandles&) = delete;
    ~InheritedHandles() { ::DeleteProcThreadAttributeList(list()); }
    LPPROC_THREAD_ATTRIBUTE_LIST list() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

private:
    std::array<HANDLE, 3> handles_;
    std::vector<unsigned char> memory_;
};

// The process, which waits until the job has it.
HANDLE start(const std::filesystem::path& program, std::wstring line, std::wstring environment, HANDLE job, HANDLE out,
             HANDLE error) {
    const OwnedHandle nothing(::CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, inheritable(),
                                            OPEN_EXISTING, 0, nullptr));
    InheritedHandles inherited({nothing.get(), out, error});
    STARTUPINFOEXW info = {};
    info.StartupInfo.cb = sizeof info;
    info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    info.StartupInfo.hStdInput = nothing.get();
    info.StartupInfo.hStdOutput = out;
    info.StartupInfo.hStdError = error;
    info.lpAttributeList = inherited.list();
    PROCESS_INFORMATION made = {};
    constexpr DWORD kFlags =
        CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT | CREATE_NO_WINDOW | CREATE_SUSPENDED;
    if (::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, kFlags, environment.data(), nullptr,
                         &info.StartupInfo, &made) == 0) {
        throw unchecked(fmt::format("cannot start {}: {}", program.string(), failure_text()), kCheckProgram);
    }
    ::AssignProcessToJobObject(job, made.hProcess);
    ::ResumeThread(made.hThread);
    ::CloseHandle(made.hThread);
    return made.hProcess;
}

DWORD milliseconds(std::chrono::seconds time) {
    constexpr std::chrono::seconds kMost{24 * 3600};
    return static_cast<DWORD>(std::chrono::milliseconds(std::min(time, kMost)).count());
}

}  // namespace

ProcessResult run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                          const ProcessLimits& limits, const EnvironmentChanges& environment) {
    if (const std::wstring kind = lower_extension(program); kind == L".bat" || kind == L".cmd") {
        throw unchecked(
            fmt::format("cannot start {}: a batch file needs a shell, which is never used", program.string()),
            "name the program itself (.exe)");
    }
    constexpr DWORD kKind = 0xF0000000;
    constexpr DWORD kCrash = 0xC0000000;     // of this kind are exceptions that nobody handled
    constexpr DWORD kNegative = 0xFFFFFF00;  // exit(-1), which is 255 elsewhere
    ProcessResult result;
    std::ofstream file;
    if (!limits.into.empty()) {
        file.open(limits.into, std::ios::binary | std::ios::trunc);
    }
    const OwnedHandle job(make_job());
    const OnInterrupt on_interrupt([&] { ::TerminateJobObject(job.get(), 1); });
    bool error_cut = false;
    {
        const Sink to_result = [&](std::string_view piece) { result.output += piece; };
        const Sink to_file = [&](std::string_view piece) { file << piece; };
        Collected output(limits.into.empty() ? to_result : to_file, result.cut, limits.output);
        Collected error([&](std::string_view piece) { result.error += piece; }, error_cut, limits.output);
        const OwnedHandle process(start(program, command_line(program, arguments),
                                        environment_block(environment, limits.secrets), job.get(), output.end(),
                                        error.end()));
        output.start();
        error.start();
        const std::array<HANDLE, 3> awaited = {process.get(), output.ended(), error.ended()};
        if (::WaitForMultipleObjects(awaited.size(), awaited.data(), TRUE, milliseconds(limits.time)) == WAIT_TIMEOUT) {
            result.timed_out = true;
            ::TerminateJobObject(job.get(), 1);
            ::WaitForSingleObject(process.get(), INFINITE);
        }
        DWORD code = 0;
        ::GetExitCodeProcess(process.get(), &code);
        result.crashed = result.timed_out || (code & kKind) == kCrash;
        result.exit_code = static_cast<int>(code >= kNegative ? code - kNegative : code);
    }
    result.cut = result.cut || error_cut;
    if (!limits.into.empty() && !file.flush()) {
        throw unchecked("cannot write the file", "check that the folder can be written and the disk is not full")
            .inside(limits.into.string());
    }
    return result;
}

std::string program_file(const std::string& name) {
    return name + ".exe";
}

// The current folder, in which CreateProcess would look first, is not searched: somebody else may have put files there.
std::filesystem::path find_on_path(const std::string& name) {
    for (const std::filesystem::path& folder : search_folders()) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(folder / program_file(name), ignored)) {
            return folder / program_file(name);
        }
    }
    return {};
}

}  // namespace wheelarch
