#include "analysis/levels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <tuple>

#include "analysis/rise.hpp"
#include "analysis/smooth_fit.hpp"
#include "check_words.hpp"
#include "core/random.hpp"

namespace percycle::levels_test {
namespace {

struct Random {
  SplitMix64 bits;

  double share() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * share(); }
  double log_between(double low, double high) { return low * std::pow(high / low, share()); }
  double normal() { return std::sqrt(-2 * std::log(1 - share())) * std::cos(2 * std::numbers::pi * share()); }
  template <typename T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[bits() % choices.size()];
  }
};

enum class Policy { lru, random, not_mru };

/// The share of misses if one set is walked in a cycle of `lines`: simulated, except for LRU.
double set_misses(Policy policy, unsigned ways, unsigned lines) {
  if (lines <= ways) return 0;
  if (policy == Policy::lru || lines > 8 * ways) return 1;
  static std::map<std::tuple<Policy, unsigned, unsigned>, double> known;
  const auto key = std::make_tuple(policy, ways, lines);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  SplitMix64 bits(7);
  std::vector<unsigned> way_of(lines, ways);  // `ways`: not cached
  std::vector<unsigned> line_of(ways);
  for (unsigned way = 0; way < ways; ++way) line_of[way] = way_of[way] = way;
  unsigned last = ways - 1;
  unsigned misses = 0;
  const unsigned laps = 20 + 8000 / lines;
  for (unsigned lap = 0; lap < 2 * laps; ++lap) {
    for (unsigned line = 0; line < lines; ++line) {
      if (way_of[line] == ways) {
        const bool spare_last = policy == Policy::not_mru && ways > 1;
        auto way = static_cast<unsigned>(bits() % (spare_last ? ways - 1 : ways));
        if (spare_last && way >= last) ++way;
        way_of[line_of[way]] = ways;
        line_of[way] = line;
        way_of[line] = way;
        if (lap >= laps) ++misses;
      }
      last = way_of[line];
    }
  }
  return known[key] = static_cast<double>(misses) / laps / lines;
}

struct Cache {
  double size = 0;
  double latency = 0;
  Policy policy = Policy::lru;
  unsigned ways = 8;

  /// The share of a cyclic walk's accesses that miss: some sets hold one line more than the others.
  double misses(double bytes) const {
    const double per_set = ways * bytes / size;
    if (per_set <= ways) return 0;
    const double fewer = std::floor(per_set);
    const double fuller = per_set - fewer;
    const auto lines = static_cast<unsigned>(fewer);
    return ((1 - fuller) * fewer * set_misses(policy, ways, lines) + fuller * (fewer + 1) * set_misses(policy, ways, lines + 1)) /
           per_set;
  }
};

struct TlbModel {
  double reach = 0;
  double penalty = 0;
};

struct Hierarchy {
  std::vector<Cache> caches;
  double memory = 0;
  std::vector<TlbModel> tlbs;
  double max = 0;  ///< largest footprint

  double latency(double bytes) const {
    double sum = caches.empty() ? memory : caches[0].latency;
    for (std::size_t i = 0; i < caches.size(); ++i) {
      const double next = i + 1 < caches.size() ? caches[i + 1].latency : memory;
      sum += caches[i].misses(bytes) * (next - caches[i].latency);
    }
    for (const auto& tlb : tlbs) sum += tlb.penalty * std::max(0.0, 1 - tlb.reach / bytes);
    return sum;
  }
};

struct Noise {
  double sample = 0;       ///< standard deviation of a sample, relative
  double samples = 100;    ///< averaged per point
  bool has_errors = true;  ///< the curve carries its errors
  double error() const { return sample / std::sqrt(samples); }
};

/// The points of a sweep: four footprints per octave, and steps of `finest` wherever neighbours
/// differ by 3 %.
std::vector<CurveSample> measured(const std::function<double(double)>& latency, double max, const Noise& noise, Random& random,
                                  double finest = 1.03) {
  std::vector<double> sizes;
  const double coarse = std::pow(2, 0.25);
  for (double size = 1024; size < max * coarse; size *= coarse) {
    const bool rises = std::abs(latency(size * coarse) / latency(size) - 1) > 0.03;
    const double steps = rises ? std::ceil(std::log(coarse) / std::log(finest)) : 1;
    for (double step = 0; step < steps; ++step) sizes.push_back(std::floor(size * std::pow(coarse, step / steps) / 64) * 64);
  }
  std::vector<CurveSample> curve;
  for (const double size : sizes) {
    const double value = latency(size);
    curve.push_back({size, value * (1 + noise.error() * random.normal()), noise.has_errors ? value * noise.error() : 0});
  }
  return curve;
}

std::vector<CurveSample> measured(const Hierarchy& truth, const Noise& noise, Random& random, double finest = 1.03) {
  return measured([&](double bytes) { return truth.latency(bytes); }, truth.max, noise, random, finest);
}

/// A curve of eight points per octave from 1 KiB to 256 MiB, each with its own noise.
std::vector<CurveSample> plain(const std::function<double(double)>& value, double noise, bool has_errors, Random& random) {
  return measured(value, 1 << 28, {noise, 1, has_errors}, random, 2);
}

double step_at_100k(double bytes) { return bytes > 100000 ? 188 : 32; }

TEST_CASE("levels: the shapes of random replacement with few ways match simulated sets") {
  const auto worst = [](Policy policy, unsigned ways) {
    double best_shape = 1;
    for (const auto& shape : edge_shapes()) {
      double worst_x = 0;
      for (const double x : {1.0, 1.0625, 1.125, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0}) {
        const Cache cache{1, 0, policy, ways};
        worst_x = std::max(worst_x, std::abs(shape.share(x) - cache.misses(x)));
      }
      best_shape = std::min(best_shape, worst_x);
    }
    return best_shape;
  };
  for (const unsigned ways : {2u, 4u, 8u, 16u}) {
    CAPTURE(ways);
    CHECK(worst(Policy::lru, ways) < 1e-9);
    CHECK(worst(Policy::random, ways) < 0.025);
    CHECK(worst(Policy::not_mru, ways) < 0.025);
  }
}

TEST_CASE("levels: a rise ends at 95 % of its height") {
  for (const auto& shape : edge_shapes()) CHECK(shape.share(shape.end()) == doctest::Approx(0.95));
  CHECK(tlb_shapes().front().end() == doctest::Approx(20));
}

TEST_CASE("levels: a curve is smooth up to three deviations of chi-square above its mean") {
  // Signs of period four are orthogonal to smooth functions, nearly.
  const auto places = [](double deviations) {
    constexpr int kPlaces = 400;
    constexpr int kFunctions = 6;
    const double freedom = kPlaces - kFunctions;
    const double chi_square = freedom + deviations * std::sqrt(2 * freedom);
    std::vector<CurvePlace> curve;
    for (int i = 0; i < kPlaces; ++i) {
      const double off = std::sqrt(chi_square / kPlaces) * (i % 4 == 0 || i % 4 == 3 ? 1 : -1);
      curve.push_back({.bytes = 4096 * std::exp2(i / 32.0), .value = 100 + off, .sigma = 1});
    }
    return curve;
  };
  CHECK(is_smooth(places(2)));
  CHECK_FALSE(is_smooth(places(4)));
}

TEST_CASE("levels: a curve without an edge has no level") {
  Random random{SplitMix64(1)};
  const std::vector<std::pair<const char*, double (*)(double)>> curves{
      {"flat", [](double) { return 100.0; }},
      {"linear", [](double bytes) { return 30 + bytes * 1e-5; }},
      {"steep", [](double bytes) { return 30 + bytes * 1e-3; }},
      {"logarithmic", [](double bytes) { return 30 + 30 * std::log2(bytes / 1024); }},
      {"hardly rising", [](double bytes) { return 100 + 2 * std::log2(bytes / 1024); }},
      {"root", [](double bytes) { return 30 + 0.05 * std::sqrt(bytes); }},
      {"falling", [](double bytes) { return 300 - 10 * std::log2(bytes / 1024); }}};
  for (const auto& pair : curves) {
    const auto& name = pair.first;
    const auto& value = pair.second;
    for (const double noise : {0.0, 0.001, 0.01, 0.05, 0.1}) {
      for (const bool has_errors : {false, true}) {
        CAPTURE(name);
        CAPTURE(noise);
        CAPTURE(has_errors);
        const auto reading = read_curve(plain(value, noise, has_errors, random));
        CHECK(reading.levels.empty());
        CHECK(!reading.memory_latency);
      }
    }
  }
}

TEST_CASE("levels: a single outlier makes no level, wherever it is, and hides none") {
  Random random{SplitMix64(2)};
  for (const double noise : {0.0, 0.01}) {
    auto flat = plain([](double) { return 100.0; }, noise, false, random);
    auto step = plain(step_at_100k, noise, false, random);
    for (std::size_t i = 0; i < flat.size(); i += 3) {
      CAPTURE(i);
      for (const double factor : {3.0, 0.5}) {
        auto spoilt = flat;
        spoilt[i].value *= factor;
        CHECK(read_curve(spoilt).levels.empty());
      }
      auto spoilt = step;
      spoilt[i].value *= 3;
      CHECK(read_curve(spoilt).levels.size() == 1);
    }
  }
}

TEST_CASE("levels: curves too short to say anything") {
  CHECK(read_curve({}).levels.empty());
  const std::vector<CurveSample> curve{{1024, 32, 0}, {2048, 188, 0}, {4096, 188, 0}};
  for (std::size_t n = 1; n <= curve.size(); ++n) CHECK(read_curve(std::span(curve).first(n)).levels.empty());
}

TEST_CASE("levels: a curve out of order or with impossible values is refused, and the point named") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](std::vector<CurveSample> curve, const char* message) {
    CHECK_THROWS_WITH_AS(read_curve(curve), message, std::invalid_argument);
  };
  refused({{2048, 1, 0}, {1024, 1, 0}}, "curve, point 1: 1024 bytes after 2048");
  refused({{1024, 1, 0}, {2048, 0, 0}}, "curve, point 1: 0 at 2048 bytes, error 0: not positive and finite");
  refused({{1024, nan, 0}}, "curve, point 0: nan at 1024 bytes, error 0: not positive and finite");
  refused({{1024, 1, -1}}, "curve, point 0: 1 at 1024 bytes, error -1: not positive and finite");
  refused({{0, 1, 0}}, "curve, point 0: 1 at 0 bytes, error 0: not positive and finite");
}

TEST_CASE("levels: a step at 5 % noise is one level") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random{SplitMix64(seed)};
    for (const bool has_errors : {false, true}) {
      const auto reading = read_curve(plain(step_at_100k, 0.05, has_errors, random));
      REQUIRE(reading.levels.size() == 1);
      const auto& level = reading.levels[0];
      CHECK(level.size_low < 100000);
      CHECK(level.size_high > 100000);
      CHECK(level.latency == doctest::Approx(32).epsilon(0.03));
      CHECK(*reading.memory_latency == doctest::Approx(188).epsilon(0.03));
      CHECK(level.confidence > 0.8);
    }
  }
}

TEST_CASE("levels: a step of 15 % is found when 150 samples of 5 % noise are averaged") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random{SplitMix64(seed)};
    const auto reading =
        read_curve(measured([](double bytes) { return bytes > 100000 ? 115.0 : 100.0; }, 1 << 26, {0.05, 150}, random));
    REQUIRE(reading.levels.size() == 1);
    CHECK(reading.levels[0].size == doctest::Approx(100000).epsilon(0.05));
  }
}

TEST_CASE("levels: a rise of 5 % is a plateau that is not flat, one of 9 % an edge") {
  Random random{SplitMix64(12)};
  const auto levels = [&](double beyond) {
    return read_curve(measured([&](double bytes) { return bytes > 100000 ? beyond : 100.0; }, 1 << 24, {0.002, 1}, random))
        .levels.size();
  };
  CHECK(levels(105) == 0);
  CHECK(levels(109) == 1);
}

TEST_CASE("levels: if other curves have sharp edges, none is as soft as with pages at random places") {
  const auto shapes = edge_shapes();
  const auto paged = std::ranges::find(shapes, RiseShape::Family::paged, &RiseShape::kind);
  REQUIRE(paged != shapes.end());
  Random random{SplitMix64(3)};
  const auto curve = measured([&](double bytes) { return 30 + 170 * paged->share(bytes / 40000); }, 1 << 20, {0.05, 100}, random);
  const auto kinds = [](const CurveReading& reading) {
    std::vector<RiseShape::Family> all;
    for (const auto& level : reading.levels) all.push_back(level.edge.shape->kind);
    return all;
  };
  CHECK(kinds(read_curve(curve)) == std::vector{RiseShape::Family::paged});
  const std::vector<Rise> elsewhere{{.shape = shapes.data(), .onset = 3000, .height = 10}};
  REQUIRE(shapes[0].kind == RiseShape::Family::lru);
  const auto sharp = kinds(read_curve(curve, elsewhere));
  CHECK(!sharp.empty());
  CHECK(std::ranges::count(sharp, RiseShape::Family::paged) == 0);
}

TEST_CASE("levels: a finer curve helps to read a sparse one, and does no harm if it is wrong") {
  // Two broad edges that meet, with 5 % noise: alone, curves of this kind are sometimes read
  // wrongly.
  const Hierarchy truth{{{16384, 60, Policy::random, 16}, {65536, 100, Policy::random, 16}}, 160, {}, 1 << 23};
  Random exact{SplitMix64(13)};
  const auto closer = read_curve(measured(truth, {0.0}, exact));
  REQUIRE(closer.levels.size() == 2);
  const std::vector<Rise> known{closer.levels[0].edge, closer.levels[1].edge};
  auto wrong = known;
  for (auto& rise : wrong) rise.onset *= 1.9;
  double alone_off = 0;
  double helped_off = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    Random random{SplitMix64(seed)};
    const auto curve = measured(truth, {0.05, 30}, random, 2);
    const auto alone = read_curve(curve);
    const auto helped = read_curve(curve, known);
    REQUIRE(helped.levels.size() == 2);
    CHECK(helped.levels[1].latency == doctest::Approx(100).epsilon(0.04));
    helped_off += std::abs(helped.levels[1].latency - 100);
    alone_off += alone.levels.size() == 2 ? std::abs(alone.levels[1].latency - 100) : 40;
    const auto misled = read_curve(curve, wrong);
    CHECK(misled.levels.size() == alone.levels.size());
    // Known edges, right or wrong, show that none is as soft as the edge of a cache with pages at
    // random places.
    if (!misled.levels.empty() && !alone.levels.empty())
      CHECK(misled.levels[0].size == doctest::Approx(alone.levels[0].size).epsilon(0.005));
  }
  CHECK(helped_off < 0.7 * alone_off);
}

TEST_CASE("levels: a clean curve is read exactly, with full confidence and with evidence") {
  Random random{SplitMix64(3)};
  const Hierarchy truth{{{32768, 32, Policy::lru, 4}, {4194304, 188, Policy::lru, 16}}, 600, {}, 268435456.0};
  const auto reading = read_curve(measured(truth, {0.0}, random));
  REQUIRE(reading.levels.size() == 2);
  CHECK(reading.tlbs.empty());
  CHECK(reading.levels[0].latency == doctest::Approx(32).epsilon(0.001));
  CHECK(reading.levels[1].latency == doctest::Approx(188).epsilon(0.001));
  CHECK(*reading.memory_latency == doctest::Approx(600).epsilon(0.001));
  CHECK(reading.levels[0].size == doctest::Approx(32768).epsilon(0.02));
  CHECK(reading.levels[1].size == doctest::Approx(4194304).epsilon(0.02));
  CHECK(reading.levels[0].edge_end == doctest::Approx(32768 * 1.25).epsilon(0.03));
  for (const auto& level : reading.levels) {
    CHECK(level.confidence > 0.95);
    REQUIRE(level.evidence.size() == 4);
  }
  CHECK(reading.levels[0].evidence[0].starts_with("its edge is 156 high, "));
  CHECK_WORDS("levels.plateau", reading.levels[0].evidence[1]);
  CHECK_WORDS("levels.lru-edge", reading.levels[0].evidence[3]);
}

TEST_CASE("levels: a flat plateau is the latency, however the edge before it scatters") {
  std::vector<CurveSample> curve;
  for (int step = 0; step <= 8 * 12; ++step) {
    const double bytes = 4096 * std::exp2(step / 8.0);
    const bool on_edge = bytes > 0x1p16 && bytes < 0x1p17;
    const double scatter = on_edge ? 40 * (step % 3 - 1) : 0;
    const double share = std::clamp(bytes / 0x1p16 - 1, 0.0, 1.0);
    const double value = bytes > 0x1p21 ? 600 : 30 + 170 * share;
    curve.push_back({.bytes = bytes, .value = value + scatter + 0.05 * (step % 2), .error = 0.05});
  }
  const auto reading = read_curve(curve);
  REQUIRE(reading.levels.size() > 1);
  CHECK(reading.levels.back().latency == doctest::Approx(200).epsilon(0.0005));
  CHECK(reading.levels.back().latency_error < 0.2);
}

TEST_CASE("levels: the size is right for any number of ways, and within its interval") {
  for (const unsigned ways : {1u, 2u, 4u, 8u, 16u, 64u, 100000u}) {
    for (const double noise : {0.0, 0.05}) {
      for (const double size : {20000.0, 65536.0, 190000.0}) {
        CAPTURE(ways);
        CAPTURE(noise);
        CAPTURE(size);
        Random random{SplitMix64(4)};
        const Hierarchy truth{{{size, 40, Policy::lru, ways}}, 200, {}, 1 << 25};
        const auto fine = read_curve(measured(truth, {noise, 100}, random, 1.04));
        REQUIRE(fine.levels.size() == 1);
        CHECK(fine.levels[0].size == doctest::Approx(size).epsilon(0.05));
        const auto sparse = read_curve(measured(truth, {noise, 100}, random, 2));
        REQUIRE(sparse.levels.size() == 1);
        CHECK(sparse.levels[0].size_low < size);
        CHECK(sparse.levels[0].size_high > size);
        CHECK(sparse.levels[0].size_high / sparse.levels[0].size_low >=
              0.99 * fine.levels[0].size_high / fine.levels[0].size_low);
      }
    }
  }
}

TEST_CASE("levels: with one point per octave a size lies anywhere between two points") {
  // 1.5 MiB: no point on the rise. 3.9 MiB: one point, which any number of ways explains.
  for (const auto& row : {std::tuple(1.5, 1, 2), {3.9, 2, 4}}) {
    const auto& size = std::get<0>(row);
    const auto& low = std::get<1>(row);
    const auto& high = std::get<2>(row);
    CAPTURE(size);
    const Hierarchy truth{{{size * (1 << 20), 32, Policy::lru, 6}}, 188, {}, 268435456.0};
    std::vector<CurveSample> curve;
    for (double bytes = 1024; bytes <= truth.max; bytes *= 2) curve.push_back({bytes, truth.latency(bytes), 0});
    const auto reading = read_curve(curve);
    REQUIRE(reading.levels.size() == 1);
    CHECK(reading.levels[0].size_low <= low * (1 << 20));
    CHECK(reading.levels[0].size_high >= high * (1 << 20));
  }
}

TEST_CASE("levels: an edge cannot begin before the previous level's edge has ended") {
  Random random{SplitMix64(5)};
  // Random replacement has missed only 80 % at twice the size; direct mapping is just complete.
  const Hierarchy random_first{{{32768, 32, Policy::random, 16}, {65536, 120, Policy::lru, 16}}, 300, {}, 1 << 24};
  auto reading = read_curve(measured(random_first, {0.01, 100}, random));
  REQUIRE(reading.levels.size() == 2);
  CHECK(reading.levels[1].latency == doctest::Approx(120).epsilon(0.02));
  CHECK(reading.levels[1].size == doctest::Approx(65536).epsilon(0.05));
  const Hierarchy direct{{{32768, 32, Policy::lru, 1}, {65536, 120, Policy::lru, 1}}, 300, {}, 1 << 24};
  reading = read_curve(measured(direct, {0.01, 100}, random));
  REQUIRE(reading.levels.size() == 2);
  CHECK(reading.levels[1].latency == doctest::Approx(120).epsilon(0.02));
  CHECK(reading.levels[1].size == doctest::Approx(65536).epsilon(0.05));
}

TEST_CASE("levels: a TLB's rise is no level, alone or on top of a plateau") {
  for (const double noise : {0.0, 0.01, 0.05}) {
    CAPTURE(noise);
    Random random{SplitMix64(6)};
    const Hierarchy alone{{}, 300, {{1 << 21, 150}}, 1 << 29};
    const auto only_tlb = read_curve(measured(alone, {noise, 100}, random));
    CHECK(only_tlb.levels.empty());
    CHECK(!only_tlb.memory_latency);
    REQUIRE(only_tlb.tlbs.size() == 1);
    CHECK(only_tlb.tlbs[0].reach == doctest::Approx(1 << 21).epsilon(0.15));
    CHECK(only_tlb.tlbs[0].penalty == doctest::Approx(150).epsilon(0.1));

    const Hierarchy both{
        {{32768, 32, Policy::lru, 4}, {2097152, 188, Policy::lru, 16}}, 500, {{1 << 24, 120}, {1 << 28, 300}}, 1ll << 32};
    const auto reading = read_curve(measured(both, {noise, 100}, random));
    REQUIRE(reading.levels.size() == 2);
    CHECK(*reading.memory_latency == doctest::Approx(500).epsilon(0.01));
    REQUIRE(reading.tlbs.size() == 2);
    CHECK(reading.tlbs[0].reach == doctest::Approx(1 << 24).epsilon(0.15));
    CHECK(reading.tlbs[0].penalty == doctest::Approx(120).epsilon(0.1));
    CHECK(reading.tlbs[1].reach == doctest::Approx(1 << 28).epsilon(0.15));
    CHECK(reading.tlbs[1].penalty == doctest::Approx(300).epsilon(0.1));
  }
}

TEST_CASE("levels: confidence falls with the noise and with the points") {
  const auto confidence = [](double noise, double finest) {
    Random random{SplitMix64(8)};
    const auto reading =
        read_curve(measured([](double bytes) { return bytes > 100000 ? 115.0 : 100.0; }, 1 << 22, {noise, 1}, random, finest));
    return reading.levels.empty() ? 0 : reading.levels[0].confidence;
  };
  CHECK(confidence(0.002, 1.03) > 0.9);
  CHECK(confidence(0.03, 2) < confidence(0.01, 2));
  CHECK(confidence(0.06, 2) < 0.5);
}

Hierarchy drawn(Random& random, bool with_tlb) {
  Hierarchy truth;
  const auto caches = 1 + random.bits() % 5;
  double size = random.log_between(4096, 262144);
  double latency = random.between(20, 120);
  for (std::size_t i = 0; i < caches; ++i) {
    const auto policy = random.pick({Policy::lru, Policy::lru, Policy::random, Policy::not_mru});
    const auto ways = policy == Policy::lru ? random.pick({1u, 2u, 4u, 8u, 16u, 64u, 100000u}) : random.pick({2u, 4u, 8u, 16u});
    truth.caches.push_back({size, latency, policy, ways});
    size *= random.log_between(2, i < 2 ? 32 : 8);
    latency += std::max(8.0, 0.15 * latency) * random.log_between(1, 10);
  }
  truth.memory = latency;
  truth.max = truth.caches.back().size * random.log_between(4, 16);
  if (with_tlb) {
    // On the last plateau: within an edge the average alone cannot separate the two.
    const double reach = truth.max * random.log_between(1, 4);
    truth.tlbs.push_back({reach, truth.memory * random.between(0.15, 0.6)});
    truth.max = reach * 16;
  }
  return truth;
}

struct Tally {
  int levels = 0;
  int wrong_count = 0;
  int wrong_size = 0;
  int outside_interval = 0;
  int wrong_latency = 0;
  int wrong_tlb = 0;
};

void read_drawn(std::uint64_t seed, bool with_tlb, double noise, Tally& tally) {
  Random random{SplitMix64(seed)};
  const auto truth = drawn(random, with_tlb);
  const auto reading = read_curve(measured(truth, {noise, random.between(50, 200)}, random));
  if (reading.levels.size() != truth.caches.size()) {
    ++tally.wrong_count;
    return;
  }
  const auto latency_is = [](double read, double value) { return std::abs(read - value) <= std::max(1.0, 0.01 * value); };
  for (std::size_t i = 0; i < truth.caches.size(); ++i) {
    const auto& cache = truth.caches[i];
    const auto& level = reading.levels[i];
    ++tally.levels;
    if (std::abs(level.size / cache.size - 1) > (cache.policy == Policy::lru ? 0.05 : 0.1)) ++tally.wrong_size;
    if (cache.size < level.size_low || cache.size > level.size_high) ++tally.outside_interval;
    if (!latency_is(level.latency, cache.latency)) ++tally.wrong_latency;
  }
  if (!latency_is(*reading.memory_latency, truth.memory)) ++tally.wrong_latency;
  const bool tlbs_right = reading.tlbs.size() == truth.tlbs.size() &&
                          (truth.tlbs.empty() || (std::abs(reading.tlbs[0].reach / truth.tlbs[0].reach - 1) < 0.15 &&
                                                  std::abs(reading.tlbs[0].penalty / truth.tlbs[0].penalty - 1) < 0.1));
  if (!tlbs_right) ++tally.wrong_tlb;
}

void check_drawn(std::uint64_t first, std::uint64_t count) {
  for (const double noise : {0.0, 0.01, 0.05}) {
    for (const bool with_tlb : {false, true}) {
      CAPTURE(noise);
      CAPTURE(with_tlb);
      Tally tally;
      for (std::uint64_t seed = first; seed < first + count; ++seed) read_drawn(seed, with_tlb, noise, tally);
      CHECK(tally.wrong_count == 0);
      CHECK(tally.wrong_size == 0);
      CHECK(tally.outside_interval <= tally.levels / 20);
      // Plateaus that the next edge cuts short are extrapolated.
      CHECK(tally.wrong_latency <= tally.levels / 20);
      CHECK(tally.wrong_tlb <= static_cast<int>(count) / 10);
    }
  }
}

TEST_CASE("levels: hierarchies drawn at random are read as they are") { check_drawn(1000, 3); }

TEST_CASE("levels: hundreds of hierarchies drawn at random are read as they are (exhaustive)" * doctest::skip()) {
  check_drawn(2000, 100);
}

// An H200 through Vulkan at `quick` (driver 580.159.04, 2026-11-29): its L2 has two parts, and the
// edge of the near one takes two rises, of which only one stands.
TEST_CASE("levels: a level's latency is that of its plateau, not of a part of its edge") {
  const std::vector<std::pair<double, double>> measured{
      {1024, 32.00},       {2048, 32.00},      {4096, 32.00},       {8192, 32.00},       {16384, 32.00},
      {32768, 32.01},      {65536, 32.00},     {131072, 32.00},     {185344, 32.01},     {220416, 32.00},
      {240256, 32.01},     {262144, 64.16},    {285824, 157.40},    {311680, 237.91},    {339840, 280.29},
      {370688, 280.53},    {524288, 281.07},   {1048576, 280.63},   {2097152, 280.64},   {4194304, 280.84},
      {8388608, 281.44},   {16777216, 285.76}, {23726464, 287.37},  {28215680, 305.75},  {30769408, 339.80},
      {33554432, 462.11},  {36591232, 491.21}, {39903104, 516.64},  {47453056, 522.40},  {56431488, 527.81},
      {61538944, 543.03},  {67108864, 631.65}, {134217728, 669.32}, {268435456, 667.65}, {536870912, 668.52},
      {1073741824, 669.82}};
  std::vector<CurveSample> curve;
  for (const auto& [bytes, cycles] : measured) curve.push_back({.bytes = bytes, .value = cycles, .error = 0.001 * cycles});
  const CurveReading reading = read_curve(curve);
  REQUIRE(reading.levels.size() >= 2);
  CHECK(reading.levels[0].latency == doctest::Approx(32).epsilon(0.01));
  CHECK(reading.levels[1].latency == doctest::Approx(281).epsilon(0.02));
}

TEST_CASE("levels: a hundred thousand points are read in seconds") {
  Random random{SplitMix64(9)};
  const Hierarchy truth{{{190000, 32, Policy::lru, 4}, {26e6, 188, Policy::lru, 16}}, 600, {}, 1 << 30};
  std::vector<CurveSample> curve;
  constexpr int kPoints = 100000;
  for (int i = 0; i < kPoints; ++i) {
    const double bytes = 1024 * std::pow(2, 20.0 * i / kPoints);
    const double value = truth.latency(bytes);
    curve.push_back({bytes, value * (1 + 0.02 * random.normal()), 0.02 * value});
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto reading = read_curve(curve);
  // Loose: under sanitizers, on a busy machine.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
  REQUIRE(reading.levels.size() == 2);
  CHECK(reading.levels[0].size == doctest::Approx(190000).epsilon(0.03));
  CHECK(reading.levels[1].size == doctest::Approx(26e6).epsilon(0.03));
  CHECK(*reading.memory_latency == doctest::Approx(600).epsilon(0.001));
}

}  // namespace
}  // namespace percycle::levels_test
