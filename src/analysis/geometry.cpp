#include "analysis/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/known_readings.hpp"
#include "analysis/thresholds.hpp"
#include "vocabulary/geometry.hpp"

namespace percycle {
namespace {

// Exceeds the bytes of any memory. Small products of these numbers stay within 64 bits.
constexpr std::int64_t kLargestNumber = std::int64_t{1} << 48;

/// Whether a point has the numbers that its test needs. A damaged record may have any.
bool has_numbers(const Parameters& parameters, std::string_view test) {
  static const std::map<std::string_view, std::vector<const char*>> kNumbers{
      {geometry_test::kFetch, {parameter::kStride}},
      {geometry_test::kGaps, {parameter::kDivisor}},
      {geometry_test::kLine, {parameter::kFactor, parameter::kCandidate}},
      {geometry_test::kSecondPass, {parameter::kNodes}},
  };
  static const std::vector<const char*> kOfBlocks{parameter::kBlock, parameter::kApart, parameter::kBlocks};
  const auto found = kNumbers.find(test);
  const auto& names = found == kNumbers.end() ? kOfBlocks : found->second;
  return std::all_of(names.begin(), names.end(), [&](const char* name) {
    const std::int64_t number = integer_or(parameters, name, 0);
    return number > 0 && number <= kLargestNumber;
  });
}

/// Twice the stride misses at most twice as often, and never more than a longer stride. A walk that
/// misses more than both neighbours allow was disturbed.
bool is_disturbed(const std::map<std::uint64_t, double>& shares, std::uint64_t stride, double share) {
  const auto shorter = shares.find(stride / 2);
  const auto longer = shares.find(2 * stride);
  return shorter != shares.end() && shorter->second >= geometry_thresholds.least_share && longer != shares.end() &&
         share > 2 * geometry_thresholds.still_grows * shorter->second &&
         share > geometry_thresholds.still_grows * longer->second;
}

/// The stride from `least` on at which the miss share stops growing; empty if no walk shows it.
std::optional<std::uint64_t> last_growth(const std::map<std::uint64_t, double>& shares, std::uint64_t least) {
  for (const auto& [stride, share] : shares) {
    if (stride < least || share < geometry_thresholds.least_share) continue;
    if (is_disturbed(shares, stride, share)) {
      // Or the level behind overflows, because its lines are shorter than assumed.
      if (share > geometry_thresholds.more_than_misses) return std::nullopt;
      continue;
    }
    if (!shares.contains(2 * stride)) return std::nullopt;
    const auto at_most = [&shares, stride = stride, share = share](std::uint64_t longer, double times) {
      const auto found = shares.find(longer * stride);
      return found == shares.end() || found->second < times * share;
    };
    if (at_most(2, geometry_thresholds.still_grows) && at_most(4, geometry_thresholds.grows_later) &&
        at_most(8, geometry_thresholds.grows_much_later))
      return stride;
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t GeometryReader::Test::number(const char* name) const {
  return static_cast<std::uint64_t>(integer_or(*parameters, name, 0));
}

bool GeometryReader::Test::overflows() const {
  return share >= std::clamp(geometry_thresholds.overflow_errors * share_error, geometry_thresholds.least_overflow,
                             geometry_thresholds.hit);
}

GeometryReader::GeometryReader(std::span<const PointResult> results, const std::string& path, std::vector<Rise> known)
    : curves_(path_curves(results, path)) {
  for (const auto& result : results) {
    const Parameters& parameters = result.point.parameters;
    if (result.point.experiment != experiment::kGeometry) continue;
    tested_ = true;
    if (!has_word(parameters, parameter::kPath, path)) continue;
    if (const std::string* test = find_word(parameters, parameter::kTest))
      tests_[{*test, integer_or(parameters, parameter::kLevel, 0)}].push_back(&result);
  }
  if (curves_.random.empty()) return;
  if (!curves_.local.empty()) {
    fetched_.reading = known_reading(curves_.local);
    for (const auto& level : reading().levels) known.push_back(level.edge);
  }
  random_ = known_reading(curves_.random, known);
  if (curves_.local.empty()) {
    fetched_.reading = random_;
    return;
  }
  // The fetch of a level depends on the latencies around it, which the levels before it may change.
  const CurveReading measured = fetched_.reading;
  for (std::size_t level = 0; level < measured.levels.size(); ++level) {
    const auto fetch = this->fetch(level);
    if (!fetch) break;
    if (fetch->bytes > curves_.stride_bytes) fetched_ = with_fetches_once(measured);
  }
}

FetchedReading GeometryReader::with_fetches_once(const CurveReading& reading) const {
  const auto first = std::find_if(curves_.local.begin(), curves_.local.end(),
                                  [](const CurveSample& sample) { return sample.together_bytes > 0; });
  if (first == curves_.local.end()) return {reading, std::vector<bool>(reading.levels.size()), false};
  double most_together = 0;
  for (const auto& sample : curves_.local) most_together = std::max(most_together, sample.together_bytes);
  std::vector<double> nodes(reading.levels.size(), 1);
  for (std::size_t i = 0; i < nodes.size() && i < levels(); ++i) {
    const auto fetch = this->fetch(i);
    if (fetch) nodes[i] = std::max(1.0, static_cast<double>(fetch->bytes) / static_cast<double>(curves_.stride_bytes));
  }
  return count_fetches_once(reading, nodes, first->bytes, most_together);
}

double GeometryReader::miss_latency(std::size_t level) const {
  return level + 1 < levels() ? reading().levels[level + 1].latency : reading().memory_latency.value_or(0);
}

std::vector<GeometryReader::Test> GeometryReader::tests(const char* name, std::size_t level) const {
  std::vector<Test> found;
  if (level >= levels()) return found;
  const double hit = reading().levels[level].latency;
  const double miss = miss_latency(level);
  if (miss <= hit) return found;
  const auto planned = tests_.find({name, static_cast<std::int64_t>(level + 1)});
  if (planned == tests_.end()) return found;
  for (const PointResult* result : planned->second) {
    const Parameters& parameters = result->point.parameters;
    if (!has_numbers(parameters, name)) continue;
    const auto value = latency_of(*result, curves_.unit);
    if (value)
      found.push_back({&parameters, (value->value - hit) / (miss - hit), value->error / (miss - hit), &*result->measurement});
  }
  return found;
}

std::map<std::uint64_t, double> GeometryReader::shares_by(std::span<const Test> tests, const char* name, double product) {
  std::map<std::uint64_t, double> shares;
  std::map<std::uint64_t, double> distances;
  for (const auto& test : tests) {
    const std::uint64_t value = test.number(name);
    const auto nodes = static_cast<double>(std::max<std::uint64_t>(1, test.number(parameter::kNodes)));
    const double distance = std::abs(std::log(nodes * static_cast<double>(value) / product));
    const auto best = distances.try_emplace(value, INFINITY).first;
    if (distance >= best->second) continue;
    best->second = distance;
    shares[value] = test.share;
  }
  return shares;
}

std::vector<GeometryReader::Fetch> GeometryReader::fetches(std::size_t level) const {
  std::map<std::uint64_t, std::map<std::uint64_t, double>> by_footprint;
  for (const auto& test : tests(geometry_test::kFetch, level)) {
    const std::uint64_t stride = test.number(parameter::kStride);
    by_footprint[test.number(parameter::kNodes) * stride][stride] = test.share;
  }
  std::vector<Fetch> found;
  // An inner level hides fetches smaller than its own.
  std::uint64_t inner = 0;
  if (level > 0) {
    const auto before = fetch(level - 1);
    if (!before) return found;
    inner = before->bytes;
  }
  for (const auto& [footprint, shares] : by_footprint) {
    if (const auto stride = last_growth(shares, inner)) found.push_back({*stride, *stride == inner});
  }
  return found;
}

std::optional<GeometryReader::Fetch> GeometryReader::fetch(std::size_t level) const {
  const auto found = fetches(level);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

bool GeometryReader::fetch_disputed(std::size_t level) const {
  const auto found = fetches(level);
  return std::any_of(found.begin(), found.end(), [&](const Fetch& fetch) { return fetch.bytes != found.front().bytes; });
}

bool GeometryReader::line_tried(std::size_t level, std::uint64_t factor) const {
  const auto all = tests(geometry_test::kLine, level);
  return std::any_of(all.begin(), all.end(), [&](const Test& test) { return test.number(parameter::kFactor) == factor; });
}

std::optional<std::uint64_t> GeometryReader::gaps(std::size_t level) const {
  const auto fetched = fetch(level);
  if (!fetched || fetched->bytes >= curves_.stride_bytes) return fetched ? std::optional<std::uint64_t>(1) : std::nullopt;
  const double product = kFilled * reading().levels[level].size / static_cast<double>(fetched->bytes);
  auto without_gaps = tests(geometry_test::kGaps, level);
  // Planned when a longer fetch was read: shorter lines leave gaps there, too.
  std::erase_if(without_gaps, [&](const Test& test) { return test.number(parameter::kStride) > fetched->bytes; });
  for (const auto& [divisor, share] : shares_by(without_gaps, parameter::kDivisor, product)) {
    if (share < geometry_thresholds.hit) return divisor;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> GeometryReader::line(std::size_t level) const {
  const auto tested = tested_line(level);
  // A gap factor means lines of that size, if sets are hashed. With an odd number of sets (or twice
  // that) lines may be shorter.
  const auto divisor = gaps(level);
  if (divisor && *divisor > 1) {
    const std::uint64_t longest = curves_.stride_bytes / *divisor;
    return tested ? std::min(tested->bytes, longest) : longest;
  }
  return tested ? std::optional(tested->bytes) : std::nullopt;
}

bool GeometryReader::line_disputed(std::size_t level) const {
  const auto tested = tested_line(level);
  return tested && !tested->clear;
}

std::optional<GeometryReader::FittedLine> GeometryReader::tested_line(std::size_t level) const {
  std::map<std::uint64_t, std::vector<Test>> by_factor;
  for (const auto& test : tests(geometry_test::kLine, level)) by_factor[test.number(parameter::kFactor)].push_back(test);
  // The share of a test whose loads an inner level serves almost alone.
  double served_inside = -INFINITY;
  if (level > 0 && level < levels()) {
    const double hit = reading().levels[level].latency;
    served_inside = geometry_thresholds.served_inside * (reading().levels[level - 1].latency - hit) / (miss_latency(level) - hit);
  }
  // A factor that divides the number of sets makes nodes share sets. Lines of the right size then
  // do not fit, but a few too large ones do. So the factor with the smallest clear line is right.
  std::vector<FittedLine> lines;
  std::vector<std::map<std::uint64_t, double>> shares_of_factors;
  for (const auto& [factor, tests] : by_factor) {
    auto shares = shares_by(tests, parameter::kCandidate, kFilled * size(level));
    // If an inner level holds the nodes, the test says nothing about this level.
    std::erase_if(shares, [&](const auto& entry) { return entry.second < served_inside; });
    if (const auto found = smallest_fit(shares)) lines.push_back(*found);
    shares_of_factors.push_back(std::move(shares));
  }
  std::optional<FittedLine> chosen;
  for (const FittedLine& line : lines) {
    if (!chosen || (line.clear == chosen->clear ? line.bytes < chosen->bytes : line.clear)) chosen = line;
  }
  if (!chosen) return std::nullopt;
  // Another factor sees the same or shorter lines, though not clearly.
  const bool unclear =
      std::any_of(lines.begin(), lines.end(), [&](const FittedLine& line) { return !line.clear && line.bytes <= chosen->bytes; });
  if (unclear || wastes_differ(shares_of_factors, chosen->bytes / 2)) chosen->clear = false;
  return chosen;
}

bool GeometryReader::wastes_differ(std::span<const std::map<std::uint64_t, double>> factors, std::uint64_t candidate) {
  double least = 1;
  double most = 0;
  for (const auto& shares : factors) {
    const auto found = shares.find(candidate);
    if (found == shares.end()) continue;
    const auto fitting =
        std::min_element(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const double waste = std::clamp(found->second - std::max(fitting->second, 0.0), 0.0, 1.0);
    least = std::min(least, waste);
    most = std::max(most, waste);
  }
  return most - least > geometry_thresholds.waste_difference;
}

std::optional<GeometryReader::FittedLine> GeometryReader::smallest_fit(std::map<std::uint64_t, double> shares) {
  if (shares.empty()) return std::nullopt;
  // If an inner level serves some loads, a walk is faster than a walk that fits.
  for (auto& [candidate, share] : shares) share = std::max(share, 0.0);
  double least = shares.begin()->second;
  for (const auto& [candidate, share] : shares) least = std::min(least, share);
  // All candidates span the same memory, so a TLB adds the same to each: compare with the smallest
  // share. A lone candidate with many misses is no fit, because the next would have more room.
  const auto near_least = std::count_if(shares.begin(), shares.end(),
                                        [&](const auto& entry) { return entry.second - least < geometry_thresholds.hit; });
  if (least > geometry_thresholds.no_fit || (least >= geometry_thresholds.first_fit && near_least < 2)) return std::nullopt;
  const auto fit = std::find_if(shares.begin(), shares.end(),
                                [&](const auto& entry) { return entry.second - least < geometry_thresholds.hit; });
  // In hashed sets chance makes lines conflict, less often the fewer there are. The misses then
  // fall slowly from candidate to candidate; with wasted lines they end in a step.
  const bool first = fit == shares.begin();
  const bool fits = fit->second - (first ? 0 : least) < geometry_thresholds.clear_fit;
  const bool steps = first || std::prev(fit)->second - least >= geometry_thresholds.clear_waste;
  return FittedLine{fit->first, fits && steps};
}

std::uint64_t GeometryReader::tag_bytes(std::size_t level) const {
  if (const auto bytes = line(level)) return *bytes;
  const auto fetched = fetch(level);
  return fetched ? fetched->bytes : curves_.stride_bytes;
}

std::optional<std::uint64_t> GeometryReader::alias_block(std::size_t level) const {
  std::map<std::uint64_t, bool> halved;
  for (const auto& test : tests(geometry_test::kAlias, level)) {
    if (test.number(parameter::kApart) == 2 * test.number(parameter::kBlock))
      halved[test.number(parameter::kBlock)] = test.overflows();
  }
  if (halved.empty()) return std::nullopt;
  const auto first_not = std::find_if(halved.begin(), halved.end(), [](const auto& entry) { return !entry.second; });
  // Sets from low address bits: if doubling the distance of a block halves the number that fits, it
  // does so for smaller blocks, too.
  if (std::any_of(first_not, halved.end(), [](const auto& entry) { return entry.second; })) return 0;
  return first_not == halved.begin() ? 0 : std::prev(first_not)->first;
}

std::optional<GeometryReader::Alias> GeometryReader::alias(std::size_t level) const {
  const auto block = alias_block(level);
  if (!block) return std::nullopt;
  const auto all = tests(geometry_test::kAlias, level);
  if (*block == 0) {
    // No distance aliases more than any other: take the smallest tried block.
    std::uint64_t smallest = UINT64_MAX;
    for (const auto& test : all) smallest = std::min(smallest, test.number(parameter::kBlock));
    return Alias{smallest, smallest, size(level) / static_cast<double>(smallest), false};
  }
  std::map<std::uint64_t, const Test*> at;
  for (const auto& test : all) {
    const std::uint64_t distance = test.number(parameter::kApart);
    if (test.number(parameter::kBlock) == alias_test_block(level, *block, distance)) at[distance] = &test;
  }
  std::uint64_t apart = *block;
  for (const auto& [distance, test] : at) {
    if (distance != 2 * apart) break;
    if (!test->overflows()) {
      // The level before may hold all of it.
      const double bytes = static_cast<double>(test->number(parameter::kBlocks) * test->number(parameter::kBlock));
      if (bytes < geometry_thresholds.over_inner * inner_bytes(level)) return std::nullopt;
      break;
    }
    apart = distance;
  }
  return Alias{*block, apart, size(level) / static_cast<double>(apart)};
}

double GeometryReader::inner_bytes(std::size_t level) const {
  if (level == 0) return 0;
  const double longer = static_cast<double>(line(level).value_or(1)) / static_cast<double>(tag_bytes(level - 1));
  return size(level - 1) * std::max(1.0, longer);
}

std::uint64_t GeometryReader::alias_count(std::size_t level, std::uint64_t apart) const {
  return std::max<std::uint64_t>(
      2, static_cast<std::uint64_t>(std::lround(geometry_thresholds.overflow_blocks * size(level) / static_cast<double>(apart))));
}

std::uint64_t GeometryReader::alias_test_block(std::size_t level, std::uint64_t block, std::uint64_t apart) const {
  const auto bytes = [&] { return static_cast<double>(block * alias_count(level, apart)); };
  while (bytes() < geometry_thresholds.ample_inner * inner_bytes(level) && block <= apart / 4 &&
         2 * bytes() <= geometry_thresholds.fitting * size(level))
    block *= 2;
  // If twice the length does not fit, take one and a half times.
  const bool too_short = bytes() < geometry_thresholds.ample_inner * inner_bytes(level);
  if (too_short && block >= 2 * line(level).value_or(block) && 3 * block <= apart &&
      1.5 * bytes() <= geometry_thresholds.fitting * size(level))
    block += block / 2;
  return block;
}

std::uint64_t GeometryReader::outgrowing_block(std::size_t level, const Alias& alias, double blocks) const {
  std::uint64_t block = alias.block;
  const double wanted = geometry_thresholds.outgrown * inner_bytes(level) / blocks;
  while (static_cast<double>(block) < wanted && block <= alias.apart / 2) block *= 2;
  return block;
}

std::optional<GeometryReader::FactorTest> GeometryReader::factor_test(std::size_t level, const Alias& alias) const {
  if (!alias.any || alias.blocks < geometry_thresholds.fewest_factor_blocks) return std::nullopt;
  const double blocks = std::max(2.0, std::round(geometry_thresholds.factor_blocks * alias.blocks));
  return FactorTest{outgrowing_block(level, alias, blocks), static_cast<std::uint64_t>(blocks)};
}

std::optional<GeometryReader::Factors> GeometryReader::factors(std::size_t level) const {
  const auto powers = alias(level);
  if (!powers) return std::nullopt;
  Alias found = *powers;
  const auto all = tests(geometry_test::kFactor, level);
  while (const auto wanted = factor_test(level, found)) {
    bool tried = false;
    std::uint64_t product = 1;
    for (const auto& test : all) {
      const auto is_test = [&](std::uint64_t factor) { return test.number(parameter::kApart) == factor * found.apart; };
      const auto* factor = std::find_if(kSetFactors.begin(), kSetFactors.end(), is_test);
      if (factor == kSetFactors.end() || test.number(parameter::kBlock) != wanted->block) continue;
      tried = true;
      if (test.overflows()) product *= *factor;
      // More sets than blocks: the test shows something else, for example a TLB.
      if (static_cast<double>(product) > found.blocks) return std::nullopt;
    }
    if (!tried) return Factors{found, false};
    if (product == 1) break;
    found.apart *= product;
    found.blocks /= static_cast<double>(product);
  }
  return Factors{found, true};
}

std::optional<GeometryReader::Alias> GeometryReader::untested_factors(std::size_t level) const {
  const auto found = factors(level);
  return found && !found->tested ? std::optional(found->alias) : std::nullopt;
}

std::optional<GeometryReader::Alias> GeometryReader::alias_with_factors(std::size_t level) const {
  auto found = factors(level);
  if (!found || !found->tested) return std::nullopt;
  if (factor_test(level, *alias(level))) found->alias.block = outgrowing_block(level, found->alias, found->alias.blocks);
  return found->alias;
}

double GeometryReader::unserved_share(std::size_t level, double share, double bytes) const {
  if (level == 0) return share;
  const auto& inner = reading().levels[level - 1];
  const double outgrown = bytes / inner_bytes(level);
  const double served = 1 - inner.edge.shape->share(outgrown * inner.edge.capacity() / inner.edge.onset);
  const double hit = reading().levels[level].latency;
  const double quicker = (hit - inner.latency) / (miss_latency(level) - hit);
  return (share + served * quicker) / (1 - served);
}

double GeometryReader::fit_limit(double share_error) {
  return std::clamp(geometry_thresholds.fit_errors * share_error, geometry_thresholds.fit, geometry_thresholds.most_fit);
}

Bracket GeometryReader::bracket(std::size_t level, const Alias& alias) const {
  std::vector<Test> counts;
  for (const auto& test : tests(geometry_test::kWays, level)) {
    if (test.number(parameter::kBlock) == alias.block && test.number(parameter::kApart) == alias.apart) counts.push_back(test);
  }
  // If one block more makes most loads miss, smaller shares are noise. Else a few misses count.
  const bool sharp =
      std::any_of(counts.begin(), counts.end(), [](const Test& test) { return test.share >= geometry_thresholds.sharp; });
  std::sort(counts.begin(), counts.end(),
            [](const Test& a, const Test& b) { return a.number(parameter::kBlocks) < b.number(parameter::kBlocks); });
  auto first = std::find_if(counts.begin(), counts.end(), [&](const Test& test) {
    return test.share > (sharp ? geometry_thresholds.most_fit : fit_limit(test.share_error));
  });
  // With random replacement one block too many misses little, and noise may hide it. It does not
  // hide the next count as well.
  while (!sharp && first != counts.end() && first != counts.begin()) {
    const Test& before = *std::prev(first);
    if (before.number(parameter::kBlocks) + 1 != first->number(parameter::kBlocks)) break;
    if (before.share <= std::max(geometry_thresholds.fit, geometry_thresholds.slight_errors * before.share_error)) break;
    --first;
  }
  Bracket bracket;
  if (first != counts.end()) bracket.misses = first->number(parameter::kBlocks);
  if (first != counts.begin()) bracket.fits = std::prev(first)->number(parameter::kBlocks);
  return bracket;
}

std::optional<GeometryReader::Ways> GeometryReader::ways(std::size_t level, const Alias& alias) const {
  const auto [fits, misses] = bracket(level, alias);
  if (fits == 0 || misses != fits + 1) return std::nullopt;
  std::map<std::uint64_t, double> shares;
  std::map<std::uint64_t, double> errors;
  for (const auto& test : tests(geometry_test::kWays, level)) {
    if (test.number(parameter::kBlock) != alias.block || test.number(parameter::kApart) != alias.apart) continue;
    shares[test.number(parameter::kBlocks)] = test.share;
    errors[test.number(parameter::kBlocks)] = test.share_error;
  }
  const double share = shares.at(misses);
  const bool sharp = share >= geometry_thresholds.sharp;
  const auto bytes = static_cast<double>(misses * alias.block);
  // If an inner level serves some of the loads, this level does not see all of its lines.
  const bool outgrown = level == 0 || bytes >= geometry_thresholds.mostly_outgrown * inner_bytes(level);
  // Random replacement misses rarely with one line too many and twice as often with two. If a count
  // misses half as often as the next one, measured from smaller counts, it does not fit.
  double fewer = 0;
  const auto at_fits = shares.find(fits);
  for (auto below = shares.begin(); below != at_fits; ++below)
    fewer += below->second / static_cast<double>(std::distance(shares.begin(), at_fits));
  const bool fitting = at_fits->second - fewer < geometry_thresholds.fitting_share * (share - fewer);
  // One line too many in many ways misses less than noise hides, unless the next one misses much.
  const double slight = std::max(geometry_thresholds.slight_share / static_cast<double>(fits + 1),
                                 geometry_thresholds.slight_of_next * (share - fewer));
  const bool distinct = at_fits->second - fewer + errors.at(fits) < slight;
  if (!sharp && !(outgrown && fitting && distinct)) return std::nullopt;
  return Ways{static_cast<std::uint32_t>(fits), unserved_share(level, share, bytes), sharp};
}

std::vector<GeometryReader::SecondPass> GeometryReader::second_passes(std::size_t level, const Ways& ways) const {
  std::vector<SecondPass> passes;
  if (level >= levels() || curves_.unit != LatencyUnit::cycles) return passes;
  const double hit = reading().levels[level].latency;
  const double miss = miss_latency(level);
  for (const auto& test : tests(geometry_test::kSecondPass, level)) {
    const auto ticks = test.measurement->series.find(series::kTicks);
    if (ticks == test.measurement->series.end()) continue;
    for (const auto& row : ticks->second) {
      if (row.empty()) continue;
      // Reading the clock adds the same to every load. The median hit shows how much. (If all loads
      // miss, the average has decided already.)
      auto sorted = row;
      std::sort(sorted.begin(), sorted.end());
      const double hits = std::clamp(1 - ways.next_share, 0.0, 1.0);
      const double overhead = sorted[static_cast<std::size_t>(0.5 * hits * static_cast<double>(row.size() - 1))] - hit;
      SecondPass pass{test.number(parameter::kNodes), {}, 0};
      double between = 0;
      for (const double value : row) {
        const double share = (value - overhead - hit) / (miss - hit);
        pass.misses.push_back(share > 0.5);
        if (std::abs(share - 0.5) < geometry_thresholds.between) ++between;
      }
      pass.between = between / static_cast<double>(row.size());
      passes.push_back(std::move(pass));
    }
  }
  return passes;
}

}  // namespace percycle
