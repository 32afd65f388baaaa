// The system's side of OnInterrupt.
#pragma once

namespace wheelarch {

// From now on, when something ends the program from outside, `undo` is called in a thread of its own, and then the
// program ends as if nobody had handled it. `undo` leaves a lock taken, so that nothing new begins meanwhile.
void watch_interrupts(void (*undo)());

}  // namespace wheelarch
