#include "report/deliver.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <sstream>

#include "base/write_file.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
#include "report/text.hpp"

namespace wheelarch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOfSummary = 500'000;  // bytes; other steps have summaries too

}  // namespace

void Delivery::start(const Outputs& outputs) {
    outputs_ = &outputs;
    taken_ = std::any_of(outputs.files().begin(), outputs.files().end(),
                         [](const Outputs::File& file) { return file.format->alone && file.path == "-"; });
    reserved_ = false;
    step_outputs_.clear();
}

void Delivery::deliver(const Outcome& outcome) {
    step_outputs_ = outcome.outputs;
    if (std::holds_alternative<std::monostate>(outcome.result)) {
        taken_ = false;  // no file comes
    }
    text(outcome.text);
    annotate(outcome.findings);
    std::optional<Error> failure;  // of the summary, which is not to cost the files
    try {
        summary(to_markdown(outcome.summary, kMostOfSummary) + outcome.summary.gap);
    } catch (const Error& error) {
        failure = error;
    }
    if (outputs_ != nullptr) {
        write(outcome, *outputs_);
    }
    if (failure) {
        throw *failure;
    }
}

void Delivery::write(const Outcome& outcome, const Outputs& outputs) {
    if (std::holds_alternative<std::monostate>(outcome.result)) {
        return;
    }
    for (const Outputs::File& file : outputs.files()) {
        if (file.path == "-") {
            std::ostringstream text;
            file.format->write(outcome, text);
            out_ << for_log(text.str()) << std::flush;
        } else if (!file.path.empty()) {
            write_file(file.path, [&](std::ostream& out) { file.format->write(outcome, out); });
        }
    }
}

void Delivery::fail(const Error& error) {
    err_ << error_text(error);
    annotate(located({as_finding(error)}));
    try {
        summary(error_summary(error));
    } catch (const Error& second) {  // the first one is what matters, and has been said
        err_ << error_text(second);
    }
}

void Delivery::flush() {
    out_.flush();
    if (!out_) {
        throw unchecked("cannot write to standard output");
    }
}

void Delivery::text(std::string_view text) {
    if (!taken_ && !text.empty()) {
        clear_progress();
        out_ << text;
    }
}

void Delivery::remark(std::string_view text) {
    (taken_ || reserved_ ? err_ : out_) << text;
}

void Delivery::note(std::string_view text) {
    err_ << text;
}

void Delivery::data(std::string_view text) {
    if (!taken_) {
        out_ << for_log(std::string(text)) << '\n';
    }
}

void Delivery::say(const std::vector<Finding>& findings) {
    if (!findings.empty()) {
        clear_progress();
        err_ << findings_text(findings);
        annotate(located(findings));
    }
}

void Delivery::failed(const Error& error) {
    err_ << error_text(error);
    summary(error_summary(error));
}

void Delivery::annotate(const std::vector<Located>& findings) {
    if (on_github()) {
        err_ << annotations(findings);
    }
}

void Delivery::summary(const std::string& markdown) {
    if (on_github() && !markdown.empty()) {
        add_to_summary(markdown);
    }
}

void Delivery::begin(std::size_t total, const std::string& what) {
    progress_.emplace(err_, progress_kind(taken_), total, what);
}

void Delivery::progress(std::size_t done, std::size_t bad) {
    if (progress_) {
        progress_->show(done, bad, Clock::now());
    }
}

void Delivery::end(std::size_t done, std::size_t bad) {
    if (progress_) {
        progress_->end(done, bad, Clock::now());
        progress_.reset();
    }
}

void Delivery::clear_progress() {
    if (progress_) {
        progress_->clear();
    }
}

bool Delivery::wants_result() const {
    return outputs_ != nullptr && std::any_of(outputs_->files().begin(), outputs_->files().end(),
                                              [](const Outputs::File& file) { return !file.path.empty(); });
}

}  // namespace wheelarch
