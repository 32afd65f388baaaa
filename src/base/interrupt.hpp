// OnInterrupt: what is undone when Ctrl-C, `kill` or a terminal that goes away (INT, TERM, HUP) ends the program:
// folders that would stay, programs that would go on.
#pragma once

#include <functional>
#include <list>

namespace wheelarch {

class OnInterrupt {
public:
    // `undo` is called by a thread of its own, the newest first, and then the signal ends the program as if nobody had
    // handled it. It may lock what its maker does not hold while it makes or destroys one of these. A signal that the
    // program was started to ignore stays ignored.
    explicit OnInterrupt(std::function<void()> undo);
    OnInterrupt(const OnInterrupt&) = delete;
    OnInterrupt& operator=(const OnInterrupt&) = delete;
    ~OnInterrupt();

private:
    std::list<std::function<void()>>::iterator place_;
};

}  // namespace wheelarch
