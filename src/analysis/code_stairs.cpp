#include "analysis/code_stairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/thresholds.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr std::array<std::uint32_t, 5> kCodeWays{2, 4, 8, 16, 64};

struct CacheEnd {
  double bytes = 0;
  std::uint32_t ways = 0;
};

/// The share of a turn's lines that miss in a cache.
double missing(const CacheEnd& cache, double bytes) {
  if (bytes <= cache.bytes) return 0;
  return std::min(1.0, (cache.ways + 1) * (bytes - cache.bytes) / bytes);
}

/// Stairs and the edges that they have.
struct StairFit {
  std::vector<CacheEnd> edges;
  std::vector<double> treads;
  double misfit = INFINITY;
};

class StairFitter {
 public:
  explicit StairFitter(std::span<const CurveSample> samples) : samples_(samples) {
    const auto fewest = static_cast<std::size_t>(stair_thresholds.fewest_on_tread);
    if (samples.size() < 2 * fewest) return;
    for (double at = samples[fewest - 1].bytes; at < samples[samples.size() - fewest].bytes; at *= stair_thresholds.finest)
      sizes_.push_back(at);
  }

  /// A misfit without end if a tread has too few samples or does not rise.
  StairFit with(std::vector<CacheEnd> edges) const {
    std::sort(edges.begin(), edges.end(), [](const CacheEnd& a, const CacheEnd& b) { return a.bytes < b.bytes; });
    StairFit fit{std::move(edges), {}, INFINITY};
    for (std::size_t tread = 0; tread <= fit.edges.size(); ++tread) {
      std::vector<double> values;
      for (const CurveSample& sample : samples_) {
        if (is_on(fit.edges, tread, sample.bytes)) values.push_back(sample.value);
      }
      if (static_cast<double>(values.size()) < stair_thresholds.fewest_on_tread) return fit;
      fit.treads.push_back(median(values));
      if (tread > 0 && fit.treads[tread] < stair_thresholds.least_rise * fit.treads[tread - 1]) return fit;
    }
    double sum = 0;
    for (const CurveSample& sample : samples_) sum += distance(fit, sample);
    fit.misfit = sum / static_cast<double>(samples_.size());
    return fit;
  }

  /// The best place of one more edge.
  StairFit with_one_more(const std::vector<CacheEnd>& others) const {
    StairFit best;
    for (const double bytes : sizes_) {
      for (const std::uint32_t ways : kCodeWays) {
        auto edges = others;
        edges.push_back({bytes, ways});
        if (StairFit fit = with(std::move(edges)); fit.misfit < best.misfit) best = std::move(fit);
      }
    }
    return best;
  }

  StairFit moved(StairFit fit) const {
    for (int round = 0; round < stair_thresholds.rounds; ++round) {
      for (std::size_t i = 0; i < fit.edges.size(); ++i) {
        auto others = fit.edges;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        if (StairFit better = with_one_more(others); better.misfit < fit.misfit) fit = std::move(better);
      }
    }
    return fit;
  }

  /// The sizes of one edge, with any ways, that fit nearly as well. If several sizes fit equally
  /// well, the result is their middle.
  CodeStep step(const StairFit& fit, std::size_t edge) const {
    const double best = fit.edges[edge].bytes;
    CodeStep found{0, best, best, fit.edges[edge].ways};
    const double as_well = fit.misfit + stair_thresholds.as_well;
    double low = best;
    double high = best;
    for (const double bytes : sizes_) {
      for (const std::uint32_t ways : kCodeWays) {
        auto edges = fit.edges;
        edges[edge] = {bytes, ways};
        const double misfit = with(std::move(edges)).misfit;
        if (misfit > std::max(as_well, stair_thresholds.nearly_as_well * fit.misfit)) continue;
        found.bytes_low = std::min(found.bytes_low, bytes);
        found.bytes_high = std::max(found.bytes_high, bytes);
        if (misfit > as_well) continue;
        low = std::min(low, bytes);
        high = std::max(high, bytes);
      }
    }
    found.bytes = (low + high) / 2;
    return found;
  }

 private:
  /// A sample's distance from the stairs, as a share. Units fetch code ahead of its end, so the
  /// time may rise a little before a step.
  static double distance(const StairFit& fit, const CurveSample& sample) {
    double expected = fit.treads[0];
    for (std::size_t i = 0; i < fit.edges.size(); ++i) {
      const double rise = fit.treads[i + 1] - fit.treads[i];
      const double share = missing(fit.edges[i], sample.bytes);
      expected += rise * share;
      const double early = (sample.value - fit.treads[i]) / rise;
      const bool is_early = early >= 0 && early < stair_thresholds.fetched_ahead && share < stair_thresholds.fetched_ahead;
      if (is_early && (i == 0 || missing(fit.edges[i - 1], sample.bytes) >= 1)) return 0;
    }
    return std::abs(sample.value - expected) / expected;
  }

  static bool is_on(const std::vector<CacheEnd>& edges, std::size_t tread, double bytes) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const double share = missing(edges[i], bytes);
      if (i < tread ? share < 1 : share > 0) return false;
    }
    return true;
  }

  std::span<const CurveSample> samples_;
  std::vector<double> sizes_;
};

}  // namespace

std::optional<CodeStairs> fit_code_stairs(std::span<const CurveSample> samples) {
  const StairFitter fitter(samples);
  StairFit best = fitter.with({});
  if (best.treads.empty()) return std::nullopt;
  for (;;) {
    StairFit more = fitter.moved(fitter.with_one_more(best.edges));
    if (!(more.misfit < stair_thresholds.better * best.misfit)) break;
    best = std::move(more);
  }
  CodeStairs stairs{best.treads, {}, best.misfit};
  for (std::size_t i = 0; i < best.edges.size(); ++i) stairs.steps.push_back(fitter.step(best, i));
  return stairs;
}

}  // namespace percycle
