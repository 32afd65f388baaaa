#include "base/interrupt_watch.hpp"
#include "base/win32.hpp"

namespace wheelarch {
namespace {

void (*undo_all)() = nullptr;

// Ctrl-C, Ctrl-Break, the console is closed, the user logs off or the machine shuts down. The system calls it in a
// thread of its own.
BOOL WINAPI end_by_console(DWORD /*event*/) {
    undo_all();
    ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(STATUS_CONTROL_C_EXIT));
    return TRUE;
}

}  // namespace

void watch_interrupts(void (*undo)()) {
    undo_all = undo;
    ::SetConsoleCtrlHandler(end_by_console, TRUE);
}

}  // namespace wheelarch
