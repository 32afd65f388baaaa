#include "audit/in_order.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

class OrderedRun {
public:
    explicit OrderedRun(const OrderedWork& work) : work_(work), done_(work.count) {}

    void run() {
        std::vector<std::jthread> threads;
        const std::size_t wanted = std::min<std::size_t>(threads_wanted(), work_.count);
        try {
            while (threads.size() < wanted) {
                threads.emplace_back([this] { work(); });
            }
        } catch (const std::system_error& error) {  // fewer do the same
            if (threads.empty()) {
                throw unchecked(fmt::format("cannot start a thread: {}", error.code().message()),
                                "raise the limit of processes or memory (`ulimit -a`)");
            }
        }
        try {
            take_all();
        } catch (...) {
            stop(std::current_exception());
        }
        threads.clear();
        if (failure_) {
            std::rethrow_exception(failure_);
        }
    }

private:
    unsigned threads_wanted() const {
        return work_.threads != 0 ? work_.threads : std::max(1U, std::thread::hardware_concurrency());
    }

    void stop(std::exception_ptr failure) {
        const std::lock_guard lock(mutex_);
        failure_ = failure_ ? failure_ : std::move(failure);
        changed_.notify_all();
    }

    std::optional<std::size_t> next() {
        const std::lock_guard lock(mutex_);
        return failure_ || next_ == work_.count ? std::nullopt : std::optional(next_++);
    }

    void work() {
        try {
            const auto worker = work_.make_worker();
            for (auto item = next(); item; item = next()) {
                AuditResult result = worker(*item);
                const std::lock_guard lock(mutex_);
                work_.finished(*item, result);
                done_[*item] = std::move(result);
                ++finished_;
                changed_.notify_all();
            }
        } catch (...) {
            stop(std::current_exception());
        }
    }

    // While it waits, `waiting` is called without the lock: it may print.
    void take_all() {
        for (std::size_t item = 0; item < work_.count; ++item) {
            std::unique_lock lock(mutex_);
            const auto ready = [&] { return done_[item].has_value() || failure_ != nullptr; };
            while (!changed_.wait_for(lock, work_.wait_for, ready)) {
                const std::size_t finished = finished_;
                lock.unlock();
                work_.waiting(finished);
                lock.lock();
            }
            if (failure_) {
                return;
            }
            AuditResult result = *std::exchange(done_[item], std::nullopt);
            lock.unlock();
            work_.take(item, std::move(result));
        }
    }

    const OrderedWork& work_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t next_ = 0;
    std::size_t finished_ = 0;
    std::vector<std::optional<AuditResult>> done_;
    std::exception_ptr failure_;
};

}  // namespace

void work_in_order(const OrderedWork& work) {
    OrderedRun(work).run();
}

}  // namespace wheelarch
