#include "audit/in_order.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"

using namespace wheelarch;

namespace {

OrderedWork numbered(std::size_t count, unsigned threads) {
    OrderedWork work;
    work.count = count;
    work.threads = threads;
    work.make_worker = [] {
        return [](std::size_t item) {
            AuditResult result;
            result.file = std::to_string(item);
            return result;
        };
    };
    work.finished = [](std::size_t, const AuditResult&) {};
    work.take = [](std::size_t, const AuditResult&) {};
    work.waiting = [](std::size_t) {};
    return work;
}

}  // namespace

TEST_CASE("work in order: results come in the order of the items, whatever the threads") {
    for (const unsigned threads : {0U, 1U, 2U, 7U, 64U}) {
        CAPTURE(threads);
        std::atomic<std::size_t> finished = 0;
        std::vector<std::string> taken;
        OrderedWork work = numbered(50, threads);
        work.finished = [&](std::size_t, const AuditResult&) { ++finished; };
        work.take = [&](std::size_t item, const AuditResult& result) {
            CHECK(item == taken.size());
            taken.push_back(result.file);
        };
        work_in_order(work);
        CHECK(finished == 50);
        REQUIRE(taken.size() == 50);
        CHECK(taken[37] == "37");
    }
}

TEST_CASE("work in order: a slow item does not keep later ones from being done") {
    std::atomic<std::size_t> others = 0;
    OrderedWork work = numbered(10, 2);
    work.make_worker = [&] {
        return [&](std::size_t item) {
            while (item == 0 && others < 9) {
                std::this_thread::yield();
            }
            others += item == 0 ? 0 : 1;
            return AuditResult{};
        };
    };
    work_in_order(work);
    CHECK(others == 9);
}

TEST_CASE("work in order: nothing to do") {
    work_in_order(numbered(0, 4));
}

TEST_CASE("work in order: an exception ends the work and is thrown") {
    for (const char* where : {"make", "work", "finished", "take"}) {
        CAPTURE(where);
        const auto fail_in = [&](const char* here) {
            if (std::string_view(where) == here) {
                throw unchecked(here);
            }
        };
        OrderedWork work = numbered(100, 3);
        work.make_worker = [&] {
            fail_in("make");
            return [&](std::size_t item) {
                if (item == 5) {
                    fail_in("work");
                }
                return AuditResult{};
            };
        };
        work.finished = [&](std::size_t, const AuditResult&) { fail_in("finished"); };
        work.take = [&](std::size_t, const AuditResult&) { fail_in("take"); };
        CHECK_THROWS_WITH_AS(work_in_order(work), where, Error);
    }
}
