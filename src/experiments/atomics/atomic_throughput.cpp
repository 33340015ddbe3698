#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/figures.hpp"
#include "experiments/atomics/parts/atomic_throughput.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"

namespace percycle::atomic_throughput_experiment {
namespace {

constexpr std::uint32_t kGroupSize = 1024;  // block size of the T4 report
constexpr std::uint32_t kSubgroup = 32;     // warp size of the T4 report

const WordsParameter kScenarios{
    "scenario",
    {"words", "lines", "one-word", "word-per-group", "own-words", "own-lines"},
    "words: one work-group, neighbouring words; lines: one work-group, each word in its own line; one-word: all work-groups use "
    "one word; word-per-group: each work-group has one; own-words, own-lines: each lane has its own"};
const WordsParameter kOperations{
    "operation",
    {"add", "min", "exchange", "compare-exchange", "and-or"},
    "operations to measure: the first in all scenarios, the others at a few points (full: all); and-or alternates OR and AND"};
const WordsParameter kMemories{"memory", {"global", "local"}, "memory of the words; local: scenario words only"};
const WordsParameter kForms{
    "form", {"return", "no-return"}, "return: the kernel adds up the returned values; no-return: it ignores them"};
const NumberParameter kSharers{"sharers",
                               "lanes per word in the scenarios words and lines; auto: 1, 2, 4 ... (quick and CPUs: fewer)"};
const NumberParameter kGroups{
    "groups", "work-groups; auto: one for words and lines, in local memory also one per unit; else up to twice the units"};
const NumberParameter kGroupSizes{"group_size", "invocations per work-group; auto: 1024, or as many as the device allows"};

using Counts = std::vector<std::uint32_t>;

Counts doubling(std::uint32_t first, std::uint32_t last) {
  const auto grid = octave_grid(first, last, 1, 1);
  return {grid.begin(), grid.end()};
}

/// Whether only lanes of one work-group share words.
bool within_group(const std::string& scenario) { return scenario == "words" || scenario == "lines"; }

/// Whether each lane has its own word.
bool no_contention(const std::string& scenario) { return scenario == "own-words" || scenario == "own-lines"; }

/// Throughput in four scenarios of contention (Jia et al., Dissecting the NVidia Turing T4 GPU,
/// section 4.2 and figure 4.1) and without contention.
class AtomicThroughput final : public Experiment {
 public:
  std::string name() const override { return "atomic-throughput"; }
  Presentation presentation() const override {
    return {
        .title = "Throughput of atomics",
        .question = "How many atomics complete per second and per cycle, by how many lanes and work-groups share a word or line?",
        .method =
            "Every lane issues atomics that do not wait for each other, and either uses or drops the values that they return. "
            "Points differ in the number of lanes that share a word or a line. "
            "The final value of every word is checked exactly.",
        .metric = "rate of independent 32-bit atomics: 1e9 operations per second, and operations per unit and cycle",
        .operation = "op",
        .order = 340,
        .configuration = {"group_size"},
        .curves = {{.name = "atomic-throughput-sharers",
                    .title = "Throughput of atomics by lanes per word",
                    .only = {{"operation", "add"}, {"scenario", "words"}},
                    .x = "sharers",
                    .x_title = "lanes per word",
                    .y = {figures::kGopsPerS},
                    .y_scale = AxisScale::doubled,
                    .split = {"memory"}},
                   {.name = "atomic-throughput-lines",
                    .title = "Throughput of atomics by lanes per line",
                    .only = {{"operation", "add"}, {"scenario", "lines"}},
                    .x = "sharers",
                    .x_title = "lanes per line",
                    .y = {figures::kGopsPerS},
                    .y_scale = AxisScale::doubled,
                    .split = {"memory"}},
                   {.name = "atomic-throughput-groups",
                    .title = "Throughput of atomics by number of work-groups, one word for all",
                    .only = {{"operation", "add"}, {"scenario", "one-word"}},
                    .x = "groups",
                    .x_title = "work-groups",
                    .y = {figures::kGopsPerS},
                    .y_scale = AxisScale::doubled,
                    .split = {"memory"},
                    .follows = {"sharers"}},
                   {.name = "atomic-throughput-words",
                    .title = "Throughput of atomics by number of work-groups, one word each",
                    .only = {{"operation", "add"}, {"scenario", "word-per-group"}},
                    .x = "groups",
                    .x_title = "work-groups",
                    .y = {figures::kGopsPerS},
                    .y_scale = AxisScale::doubled,
                    .split = {"memory"},
                    .follows = {"sharers"}}},
        .leads = true,
        .summary = {{.line = "atomics",
                     .only = {{"operation", "add"}, {"scenario", "own-words"}},
                     .figure = figures::kGopsPerS,
                     .key = "atomic adds",
                     .words = "rate of atomic adds"}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {kScenarios, kOperations, kMemories, kForms, kSharers, kGroups, kGroupSizes};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options,
                          std::span<const PointResult> /*done*/) const override {
    const ContentionSweep sweep(device, options);
    const auto question = [&](const Point& point) {
      const std::string& operation = word(point, "operation");
      return ContentionQuestion{word(point, "scenario"), operation == options[kOperations].front(),
                                word(point, "memory") == "local", word(point, "form") == "return"};
    };
    auto points = product({name(), {{"group_size", sweep.group_size()}}},
                          {{"memory", options[kMemories]},
                           {"operation", options[kOperations]},
                           {"form", options[kForms]},
                           {"scenario", options[kScenarios]},
                           {"groups", [&](const Point& point) { return sweep.groups(question(point)); }},
                           {"sharers", [&](const Point& point) {
                              return sweep.sharers(question(point), number<std::uint32_t>(point, "groups"));
                            }}});
    if (points.empty()) {
      throw UsageError(fmt::format("--set scenario={} memory={}: only scenario words can use local memory",
                                   options.text(kScenarios), options.text(kMemories)));
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    return independent_atomics_unsupported(device, atomics_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    return independent_atomics_trial(device, atomics_of(point));
  }

 private:
  struct ContentionQuestion {
    std::string scenario;
    bool main = true;  ///< the operation has full sweeps
    bool local = false;
    bool returns = true;
  };

  /// The numbers of work-groups and sharers for the options and the device.
  class ContentionSweep {
   public:
    ContentionSweep(const DeviceInfo& device, const Options& options)
        : options_(options),
          full_(options.preset == Preset::full),
          few_(options.preset == Preset::quick || (!full_ && device.type == DeviceType::cpu)),
          units_(all_units(device)),
          group_size_(options[kGroupSizes].value_or(std::min(kGroupSize, device.max_group_size))) {}

    std::uint32_t group_size() const { return group_size_; }

    /// One operation has full sweeps. The others have a few points for comparison.
    bool has(const ContentionQuestion& question) const {
      if (question.local && question.scenario != "words") return false;
      return question.main || full_ || (question.scenario == "words" && (!few_ || (question.returns && !question.local)));
    }

    Counts groups(const ContentionQuestion& question) const {
      if (!has(question)) return {};
      if (const auto wanted = options_[kGroups]) return {*wanted};
      if (within_group(question.scenario)) return question.local && question.main && units_ > 1 ? Counts{1, units_} : Counts{1};
      Counts all = full_ ? doubling(1, 2 * units_) : few_ ? Counts{1} : Counts{1, 4, 16, 64};
      std::erase_if(all, [&](std::uint32_t groups) { return groups >= units_; });
      all.push_back(units_);
      // The host reads all lines after each sample. Twice as many take seconds and add nothing.
      const bool many_lines = question.scenario == "own-lines" && !full_;
      if ((!few_ && !many_lines) || units_ == 1) all.push_back(2 * units_);
      // Scenarios words and lines already have one group without contention.
      if (no_contention(question.scenario)) std::erase_if(all, [&](std::uint32_t groups) { return groups < units_; });
      return all;
    }

    Counts sharers(const ContentionQuestion& question, std::uint32_t groups) const {
      if (question.scenario == "one-word") return {groups * group_size_};
      if (question.scenario == "word-per-group") return {group_size_};
      if (no_contention(question.scenario)) return {1};
      if (const auto wanted = options_[kSharers]) return {*wanted};
      Counts all = full_                    ? doubling(1, group_size_)
                   : !question.main && few_ ? Counts{1}
                   : !question.main         ? Counts{1, kSubgroup}
                   : few_                   ? Counts{1, kSubgroup, group_size_}
                                            : Counts{1, 2, 4, 8, 16, kSubgroup, 4 * kSubgroup, group_size_};
      std::erase_if(all, [&](std::uint32_t sharers) { return sharers > group_size_; });
      all.erase(std::unique(all.begin(), all.end()), all.end());
      return all;
    }

   private:
    const Options& options_;
    bool full_;
    bool few_;
    std::uint32_t units_;
    std::uint32_t group_size_;
  };

  static IndependentAtomics atomics_of(const Point& point) {
    const auto& scenario = word(point, "scenario");
    return {.operation = atomic_operation(word(point, "operation")),
            .local = word(point, "memory") == "local",
            .returns = word(point, "form") == "return",
            .apart = scenario == "lines" || scenario == "own-lines",
            .one_word = scenario == "one-word",
            .groups = number<std::uint32_t>(point, "groups"),
            .group_size = number<std::uint32_t>(point, "group_size"),
            .sharers = number<std::uint32_t>(point, "sharers")};
  }
};

const RegisterExperiment registered(std::make_unique<AtomicThroughput>());

}  // namespace
}  // namespace percycle::atomic_throughput_experiment
