#include "stats/change.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/random.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr std::size_t kResamples = 1000;
constexpr double kTail = 0.025;

void check(const RunSamples& runs) {
  if (runs.empty()) throw std::invalid_argument("a change from or to no runs");
  for (const auto& run : runs) {
    const bool usable = std::all_of(run.begin(), run.end(), [](double value) { return std::isfinite(value) && value > 0; });
    if (run.empty() || !usable) throw std::invalid_argument("a change of a run without values, or of one that is not above 0");
  }
}

/// An index below `count`; the probabilities differ by at most 2^-64 times the count.
std::size_t draw(std::size_t count, SplitMix64& random) { return random() % count; }

/// A run whose samples can be drawn many times: counts of drawn ranks give a median without a sort.
struct RankedRun {
  explicit RankedRun(const std::vector<double>& run) : sorted(run), ranks(run.size()) {
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < run.size(); ++i)
      ranks[i] = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), run[i]) - sorted.begin());
  }

  std::vector<double> sorted;
  std::vector<std::size_t> ranks;  ///< by the index of the sample
};

/// Draws samples of one side.
class Resampler {
 public:
  explicit Resampler(const RunSamples& runs) : runs_(runs.begin(), runs.end()) {}

  double median(SplitMix64& random) {
    medians_.clear();
    for (std::size_t i = 0; i < runs_.size(); ++i) medians_.push_back(median_of(runs_[draw(runs_.size(), random)], random));
    return medians_.size() == 1 ? medians_.front() : percycle::median(medians_);
  }

 private:
  double median_of(const RankedRun& run, SplitMix64& random) {
    const std::size_t size = run.sorted.size();
    counts_.assign(size, 0);
    for (std::size_t k = 0; k < size; ++k) ++counts_[run.ranks[draw(size, random)]];
    std::size_t rank = 0;
    std::size_t passed = counts_[0];  // number of drawn samples up to this rank
    const auto pass = [&](std::size_t place) {
      while (passed <= place) passed += counts_[++rank];
      return run.sorted[rank];
    };
    if (size % 2 == 1) return pass(size / 2);
    const double lower = pass(size / 2 - 1);
    return std::midpoint(lower, pass(size / 2));
  }

  std::vector<RankedRun> runs_;
  std::vector<double> medians_;
  std::vector<std::size_t> counts_;  ///< of drawn samples, by rank
};

}  // namespace

double median_of_runs(const RunSamples& runs) {
  check(runs);
  std::vector<double> medians;
  for (const auto& run : runs) medians.push_back(median(run));
  return median(medians);
}

Change change_of_medians(const RunSamples& before, const RunSamples& after, std::uint64_t seed) {
  Change change;
  change.ratio = median_of_runs(after) / median_of_runs(before);
  SplitMix64 random(seed);
  std::vector<double> ratios;
  ratios.reserve(kResamples);
  Resampler resampled_before(before);
  Resampler resampled_after(after);
  for (std::size_t i = 0; i < kResamples; ++i) {
    const double from = resampled_before.median(random);
    ratios.push_back(resampled_after.median(random) / from);
  }
  const auto tail = static_cast<std::ptrdiff_t>(kTail * kResamples);
  const auto high = ratios.end() - 1 - tail;
  std::nth_element(ratios.begin(), high, ratios.end());
  change.high = *high;
  std::nth_element(ratios.begin(), ratios.begin() + tail, high);
  change.low = ratios[static_cast<std::size_t>(tail)];
  return change;
}

}  // namespace percycle
