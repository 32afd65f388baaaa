// Boost.Process is made to use std::filesystem (BOOST_PROCESS_USE_STD_FS, set by the build), so that Boost needs no
// compiled library.
#include "base/process.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/process/args.hpp>
#include <boost/process/async.hpp>
#include <boost/process/async_pipe.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/group.hpp>
#include <boost/process/io.hpp>

#include "base/error.hpp"
#include "base/interrupt.hpp"

namespace wheelarch {
namespace {

namespace process = boost::process;
namespace asio = boost::asio;

// Takes pieces of what a program writes to one stream.
using Sink = std::function<void(std::string_view)>;

// Collects what a program writes to one stream, up to a limit, and reads on past it so that the program does not block.
class Collected {
public:
    Collected(asio::io_context& context, Sink sink, bool& cut, std::uint64_t limit)
        : pipe_(context), sink_(std::move(sink)), cut_(cut), room_(limit) {}

    process::async_pipe& pipe() { return pipe_; }

    // Calls `ended` when the program has closed the stream.
    void start(std::function<void()> ended) {
        ended_ = std::move(ended);
        read();
    }

private:
    void read() {
        pipe_.async_read_some(asio::buffer(buffer_), [this](const boost::system::error_code& error, std::size_t size) {
            const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(size, room_));
            sink_({buffer_.data(), taken});
            room_ -= taken;
            cut_ = cut_ || size > taken;
            if (error) {
                ended_();
            } else {
                read();
            }
        });
    }

    process::async_pipe pipe_;
    std::array<char, 64 << 10> buffer_ = {};
    Sink sink_;
    bool& cut_;
    std::uint64_t room_;
    std::function<void()> ended_;
};

process::environment changed(const EnvironmentChanges& changes, PassOn secrets) {
    process::environment environment = boost::this_process::environment();
    std::vector<std::string> kept_back;
    for (const auto& entry : environment) {
        if (is_kept_back(entry.get_name(), secrets)) {
            kept_back.push_back(entry.get_name());
        }
    }
    for (const std::string& name : kept_back) {
        environment.erase(name);
    }
    environment["PATH"] = search_path();
    for (const auto& [name, value] : changes) {
        if (value) {
            environment[name] = *value;
        } else {
            environment.erase(name);
        }
    }
    return environment;
}

// Between the making of pipes and the start of their program no other program may start: it would inherit their ends,
// and a reader would wait for both.
std::mutex& starting() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

ProcessResult run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                          const ProcessLimits& limits, const EnvironmentChanges& environment) {
    ProcessResult result;
    asio::io_context context;
    process::group group;
    // A group of its own is not reached by Ctrl-C. TERM, so that git takes its locks with it.
    const OnInterrupt on_interrupt([&] {
        const std::lock_guard lock(starting());
        if (group.valid()) {
            ::kill(-group.native_handle(), SIGTERM);
        }
    });
    std::unique_lock<std::mutex> lock(starting());
    std::ofstream file;
    if (!limits.into.empty()) {
        file.open(limits.into, std::ios::binary | std::ios::trunc);
    }
    const Sink to_result = [&](std::string_view piece) { result.output += piece; };
    const Sink to_file = [&](std::string_view piece) { file << piece; };
    const Sink to_error = [&](std::string_view piece) { result.error += piece; };
    Collected output(context, limits.into.empty() ? to_result : to_file, result.cut, limits.output);
    Collected error(context, to_error, result.cut, limits.output);
    std::error_code failure;
    asio::steady_timer timer(context, limits.time);
    int awaited = 3;  // both streams, and the exit of the program, which may close its streams and stay
    const auto ended = [&] {
        if (--awaited == 0) {
            timer.cancel();
        }
    };
    process::child child(
        process::exe = program.string(), process::args = arguments, process::env = changed(environment, limits.secrets),
        process::std_in<process::null, process::std_out> output.pipe(), process::std_err > error.pipe(), group, failure,
        context, process::on_exit([&](int, const std::error_code&) { ended(); }));
    lock.unlock();
    if (failure) {
        throw unchecked(fmt::format("cannot start {}: {}", program.string(), failure.message()),
                        "check that the file is there and can be executed");
    }
    output.start(ended);
    error.start(ended);
    timer.async_wait([&](const boost::system::error_code& cancelled) {
        if (!cancelled) {
            result.timed_out = true;
            group.terminate(failure);
            context.stop();
        }
    });
    context.run();
    child.wait(failure);
    result.crashed = WIFSIGNALED(child.native_exit_code());
    result.exit_code = child.exit_code();
    if (!limits.into.empty() && !file.flush()) {
        throw unchecked("cannot write the file", "check that the folder can be written and the disk is not full")
            .inside(limits.into.string());
    }
    return result;
}

std::string program_file(const std::string& name) {
    return name;
}

std::filesystem::path find_on_path(const std::string& name) {
    for (const std::filesystem::path& folder : search_folders()) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(folder / name, ignored) && ::access((folder / name).c_str(), X_OK) == 0) {
            return folder / name;
        }
    }
    return {};
}

}  // namespace wheelarch
