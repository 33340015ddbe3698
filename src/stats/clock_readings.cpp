#include "stats/clock_readings.hpp"

#include "core/timed_sample.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

std::optional<double> rate_by(std::string_view time_source, double idle_ns, const Sample& sample) {
  // The ticks of posted stores end before the dispatch.
  const bool posted = sample.groups && sample.groups->ticks_per_ns && !sample.groups->span_ns;
  if (posted || (sample.groups && time_source == kInKernelClock)) return sample.groups->ticks_per_ns;
  // If groups may have run one after the other, a single group's ticks do not cover the dispatch.
  if (sample.groups && !sample.groups->units) return std::nullopt;
  const auto ticks = counter_ticks(sample);
  const auto ns = timed_ns(time_source, idle_ns, sample);
  if (!ticks || !ns || *ns <= 0) return std::nullopt;
  return *ticks / *ns;
}

}  // namespace

std::optional<double> counter_ticks_per_ns(const Measurement& measurement, std::string_view time_source) {
  std::vector<double> rates;
  for (const auto& sample : measurement.samples) {
    // The ticks count even if a few samples have no time.
    if (const auto rate = rate_by(time_source, measurement.idle_ns.value_or(0), sample)) rates.push_back(*rate);
  }
  if (rates.empty() || 2 * rates.size() <= measurement.samples.size()) return std::nullopt;
  const double rate = median(rates);
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

std::optional<double> chain_mhz(const AluChainRuns& chain) {
  double cycles = 0;
  double ns = 0;
  for (const auto& run : chain.runs) {
    cycles += static_cast<double>(run.ops) * chain.cycles_per_op;
    ns += run.ns;
  }
  return ns > 0 ? std::optional(cycles / ns * 1e3) : std::nullopt;
}

}  // namespace percycle
