#include <cstdint>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <io.h>

#include "base/error.hpp"
#include "base/mapped_places.hpp"
#include "base/startup.hpp"
#include "base/win32.hpp"

// For the C library: arguments are what they are, and no patterns of file names.
extern "C" int _dowildcard;
int _dowildcard = 0;

namespace wheelarch {
namespace {

void say_on_error(const char* text) {
    write_all(::GetStdHandle(STD_ERROR_HANDLE), text, std::strlen(text));
}

// A file cannot shrink while it is mapped, but its disk or network can fail.
LONG CALLBACK end_by_failed_disk(EXCEPTION_POINTERS* what) {
    const EXCEPTION_RECORD& record = *what->ExceptionRecord;
    if (record.ExceptionCode != EXCEPTION_IN_PAGE_ERROR || record.NumberParameters < 2) {
        return EXCEPTION_CONTINUE_SEARCH;
    }
    const char* name = name_of_place(static_cast<std::uintptr_t>(record.ExceptionInformation[1]));
    say_on_error("error: ");
    if (name != nullptr) {
        say_on_error(name);
        say_on_error(": ");
    }
    say_on_error("the disk of an input file failed while it was read\n");
    ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(ExitCode::unchecked));
    return EXCEPTION_CONTINUE_SEARCH;
}

// What we print is UTF-8; where it goes to a file or a pipe this changes nothing.
void set_up_console(DWORD stream) {
    DWORD mode = 0;
    const HANDLE console = ::GetStdHandle(stream);
    if (::GetConsoleMode(console, &mode) != 0) {
        ::SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
        ::SetConsoleOutputCP(CP_UTF8);
    }
}

}  // namespace

void start_up() noexcept {
    for (std::FILE* stream : {stdin, stdout, stderr}) {
        ::_setmode(::_fileno(stream), _O_BINARY);
    }
    set_up_console(STD_OUTPUT_HANDLE);
    set_up_console(STD_ERROR_HANDLE);
    ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX |
                   SEM_NOOPENFILEERRORBOX);  // nobody is there to click
    ::AddVectoredExceptionHandler(1, end_by_failed_disk);
}

}  // namespace wheelarch
