// What is set up once, before anything is read or printed.
#pragma once

namespace wheelarch {

// From now on, a mapped file that shrinks, or whose disk fails, while it is read ends the program with a message that
// names it and exit 3 instead of a crash; a file that may not grow further is an error of the write. On Windows the
// standard streams pass bytes as they are, without changing the ends of lines.
void start_up() noexcept;

}  // namespace wheelarch
