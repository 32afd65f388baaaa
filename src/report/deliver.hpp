// Delivery: the one place that writes results to standard output, to files, and to where a workflow's runner takes
// annotations, the job summary and a step's outputs from.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "report/format.hpp"
#include "report/outcome.hpp"
#include "report/progress.hpp"

namespace wheelarch {

class Delivery : public Listener {
public:
    // Results go to `out`. Errors and annotations go to `err`: a runner reads both, and `out` may be for a program.
    Delivery(std::ostream& out, std::ostream& err) : out_(out), err_(err) {}

    // Where the results of the command go that runs next. `outputs` must outlive it.
    void start(const Outputs& outputs);
    // The text, annotations, the summary, files. Throws an Error (exit 3) for what cannot be written.
    void deliver(const Outcome& outcome);
    // Only the files. Throws an Error (exit 3).
    void write(const Outcome& outcome, const Outputs& outputs);
    // Of what was delivered, by name; the caller may add to them.
    std::map<std::string, std::string>& step_outputs() noexcept { return step_outputs_; }
    // An Error that ends the run.
    void fail(const Error& error);
    // Throws an Error if something could not be written to standard output.
    void flush();

    void text(std::string_view text) override;
    void remark(std::string_view text) override;
    void note(std::string_view text) override;
    void reserve_for_data() override { reserved_ = true; }
    void data(std::string_view text) override;
    void say(const std::vector<Finding>& findings) override;
    void failed(const Error& error) override;
    void annotate(const std::vector<Located>& findings) override;
    void summary(const std::string& markdown) override;
    void begin(std::size_t total, const std::string& what) override;
    void progress(std::size_t done, std::size_t bad) override;
    void end(std::size_t done, std::size_t bad) override;
    bool wants_result() const override;

private:
    void clear_progress();

    std::ostream& out_;
    std::ostream& err_;
    const Outputs* outputs_ = nullptr;
    bool taken_ = false;     // standard output is for a format
    bool reserved_ = false;  // it is for data(), unless it is for a format
    std::optional<Progress> progress_;
    std::map<std::string, std::string> step_outputs_;
};

}  // namespace wheelarch
