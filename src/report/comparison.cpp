#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/hierarchy.hpp"
#include "analysis/repeated_point.hpp"
#include "core/error.hpp"
#include "core/timed_sample.hpp"
#include "platform/all_cores.hpp"
#include "presentation/configuration.hpp"
#include "report/bandwidth_limit.hpp"
#include "report/comparison_edges.hpp"
#include "report/comparison_tables.hpp"
#include "report/finding_changes.hpp"
#include "report/finding_tables.hpp"
#include "report/footprint_curves.hpp"
#include "report/run_spread.hpp"

namespace percycle {
namespace {

/// A constant: the interval of a point must not depend on the other points.
constexpr std::uint64_t kSeed = 1;

/// The metric of each sample; empty if a sample lacks it.
std::vector<double> values_of(const Measurement& measurement, const Figure& metric) {
  double amount = 1;
  if (metric.name == figures::kGbPerS) amount = measurement.work ? static_cast<double>(measurement.work->bytes_per_op) : 0;
  if (metric.name == figures::kGopsPerS)
    amount = measurement.participants ? static_cast<double>(measurement.participants->dispatch) : 0;
  std::vector<double> values;
  for (const Sample& sample : measurement.samples) {
    const double ns = timed_ns(measurement, sample).value_or(0);
    if (ns <= 0 || sample.ops == 0 || amount <= 0) return {};
    const double per_op = ns / static_cast<double>(sample.ops);
    values.push_back(metric.better == Direction::higher ? amount / per_op : per_op);
  }
  return values;
}

/// Adds one run's answers, the best of each question, to its side.
void take_answers(Side& side, const Run& run, const LimitsCatalogue& catalogue) {
  std::map<std::string, SideAnswer> best;
  for (const PointHistory& point : run.points) {
    if (is_search(*point.point)) continue;
    const std::string question = to_string(question_of(*point.point, *run.header));
    const PointResult* result = point.result;
    if (!result || result->outcome.status != Status::ok || !result->measurement) {
      side.not_ok.emplace(question, result ? std::string(to_string(result->outcome.status)) : "not finished");
      continue;
    }
    const std::string_view metric = main_figure_of(result->measurement->statistics);
    if (metric.empty()) continue;
    const double value = statistic_median(*result->measurement, metric).value();
    SideAnswer& answer = best[question];
    if (answer.result != nullptr && !is_better(metric, value, answer.value)) continue;
    answer.result = result;
    answer.header = run.header;
    answer.metric = figure_called(metric);
    answer.value = value;
  }
  const DeviceLimits limits = limits_of_device(catalogue, *run.header);
  for (auto& [question, answer] : best) {
    side.not_ok.erase(question);
    answer.against_limit = hold_against_limit(*answer.result, *answer.header, limits);
    const auto values = values_of(*answer.result->measurement, answer.metric);
    SideAnswer& latest = side.answers[question];
    RunSamples before = std::move(latest.runs);
    // A document may repeat a row in its text: the better one, with a clock if there is one.
    if (latest.result && answer.header->published()) {
      const bool has_share = answer.against_limit.efficiency.has_value();
      if (has_share != latest.against_limit.efficiency.has_value() ? has_share
                                                                   : is_better(answer.metric.name, answer.value, latest.value))
        latest = answer;
      continue;
    }
    latest = answer;
    latest.runs = std::move(before);
    if (!values.empty()) latest.runs.push_back(values);
    if (!latest.runs.empty()) latest.value = median_of_runs(latest.runs);
  }
}

/// Equal for the same silicon through one API, measured, simulated or published in one document.
using DeviceKey = std::tuple<std::string, std::string, std::string>;

DeviceKey device_key(const Header& header) {
  if (header.published()) return {"published", header.publication->document, header.device.name};
  if (header.simulated()) return {"simulated", header.device.name, {}};
  return {"measured", header.identity, std::string(to_string(header.device.api))};
}

/// A run with its file's name.
struct FileRun {
  std::string file;
  Run run;
};

/// "A" to "Z", then "AA".
std::string letters(std::size_t place) {
  std::string name(1, static_cast<char>('A' + place % 26));
  return place < 26 ? name : letters(place / 26 - 1) + name;
}

bool share_a_question(const Side& a, const Side& b) {
  return std::any_of(a.answers.begin(), a.answers.end(), [&](const auto& answer) { return b.answers.contains(answer.first); });
}

void join(Side& side, const FileRun& run, const LimitsCatalogue& catalogue) {
  if (side.header == nullptr) side.header = run.run.header;
  side.runs.push_back(run.run);
  if (side.files.empty() || side.files.back() != run.file) side.files.push_back(run.file);
  take_answers(side, side.runs.back(), catalogue);
}

/// The sides of one device through one API.
std::vector<Side> sides_of_device(const std::vector<FileRun>& runs, const LimitsCatalogue& catalogue) {
  const bool is_one_driver = std::all_of(runs.begin(), runs.end(), [&](const FileRun& file_run) {
    return file_run.run.header->device.driver == runs[0].run.header->device.driver;
  });
  const bool by_file = is_one_driver && !runs[0].run.header->published();
  std::vector<std::pair<std::string, Side>> states;
  for (const FileRun& file_run : runs) {
    const std::string state = by_file ? file_run.file : file_run.run.header->device.driver;
    auto found = std::find_if(states.begin(), states.end(), [&](const auto& entry) { return entry.first == state; });
    if (found == states.end()) found = states.insert(states.end(), {state, Side{}});
    join(found->second, file_run, catalogue);
  }
  std::vector<Side> sides;
  for (auto& [state, side] : states) {
    const auto complement = std::find_if(sides.begin(), sides.end(), [&, &later = side](const Side& earlier) {
      return by_file && !share_a_question(later, earlier);
    });
    if (complement == sides.end()) {
      sides.push_back(std::move(side));
      continue;
    }
    for (const Run& run : side.runs) join(*complement, {side.files.front(), run}, catalogue);
  }
  return sides;
}

std::vector<FileRun> all_runs(const std::vector<LoadedFile>& files) {
  std::map<std::string, std::string> file_of;  // by a header's id
  std::vector<FileRun> file_runs;
  for (const LoadedFile& file : files) {
    const std::string name = file.path.string();
    for (Run& run : runs(file)) {
      const auto [earlier, is_new] = file_of.emplace(run.header->id, name);
      if (!is_new) throw UsageError(fmt::format("{}: holds the run {} of {} again", name, run.header->id, earlier->second));
      file_runs.push_back({name, std::move(run)});
    }
  }
  return file_runs;
}

/// All sides; returns the indices of each device's sides.
std::map<DeviceKey, std::vector<std::size_t>> find_sides(const std::vector<LoadedFile>& files, const LimitsCatalogue& catalogue,
                                                         std::vector<Side>& sides) {
  std::vector<std::pair<DeviceKey, std::vector<FileRun>>> devices;
  for (FileRun& run : all_runs(files)) {
    const DeviceKey key = device_key(*run.run.header);
    auto found = std::find_if(devices.begin(), devices.end(), [&](const auto& entry) { return entry.first == key; });
    if (found == devices.end()) found = devices.insert(devices.end(), {key, {}});
    found->second.push_back(std::move(run));
  }
  std::vector<std::vector<Side>> sides_of(devices.size());
  on_all_cores(devices.size(), [&](std::size_t i) { sides_of[i] = sides_of_device(devices[i].second, catalogue); });
  std::map<DeviceKey, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    for (Side& side : sides_of[i]) {
      places[devices[i].first].push_back(sides.size());
      side.name = letters(sides.size());
      sides.push_back(std::move(side));
    }
  }
  return places;
}

/// The smallest change above noise.
double smallest_percent(SidePair::Relation relation) {
  return relation == SidePair::Relation::apis ? kApiGapPercent : kNoisePercent;
}

/// The interval with the spread between runs, which is independent of the spread within a run.
Change with_run_spread(const Change& change, double percent) {
  const double spread = std::log1p(percent / 100);
  return {change.ratio, change.ratio * std::exp(-std::hypot(std::log(change.ratio / change.low), spread)),
          change.ratio * std::exp(std::hypot(std::log(change.high / change.ratio), spread))};
}

ChangeVerdict judge(const ChangeRow& row, SidePair::Relation relation) {
  if (row.change.low <= 1 && row.change.high >= 1) return ChangeVerdict::noise;
  if (std::abs(row.percent()) <= smallest_percent(relation)) return ChangeVerdict::noise;
  return (row.after->metric.better == Direction::higher) == (row.change.ratio > 1) ? ChangeVerdict::better : ChangeVerdict::worse;
}

/// The outcome of the question on a side without an answer.
std::string unanswered(const std::string& question, const Side& side) {
  const auto ended = side.not_ok.find(question);
  return ended == side.not_ok.end() ? question : fmt::format("{} ({})", question, ended->second);
}

/// The change of a question's answer, with the spread between runs if a side has few of them. With
/// ComparisonDepth::key_figures, a change that is noise for any samples has no interval: it takes
/// most of the time.
Change change_of_answers(const ChangeRow& row, double least_percent, double spread_percent, ComparisonDepth depth) {
  const RunSamples& before = row.before->runs;
  const RunSamples& after = row.after->runs;
  const bool is_few = row.fewest_runs() < kEnoughRuns;
  if (depth == ComparisonDepth::key_figures) {
    const double ratio = median_of_runs(after) / median_of_runs(before);
    const bool is_within_spread = is_few && std::abs(std::log(ratio)) <= std::log1p(spread_percent / 100);
    if (is_within_spread || std::abs(100 * (ratio - 1)) <= least_percent)
      return {ratio, std::min(ratio, 1.0), std::max(ratio, 1.0)};
  }
  const Change change = change_of_medians(before, after, kSeed);
  return is_few ? with_run_spread(change, spread_percent) : change;
}

SidePair compare_sides(const std::vector<Side>& sides, SidePair::Relation relation, std::size_t before, std::size_t after,
                       ComparisonDepth depth) {
  SidePair pair;
  pair.relation = relation;
  pair.before = before;
  pair.after = after;
  const FootprintCurves curves = footprint_curves(sides[before]);
  for (const auto& [question, from] : sides[before].answers) {
    const auto to = sides[after].answers.find(question);
    if (to == sides[after].answers.end()) {
      pair.missing.push_back(unanswered(question, sides[after]));
      continue;
    }
    if (from.runs.empty() || to->second.runs.empty() || from.metric.name != to->second.metric.name) continue;
    ChangeRow& row = pair.rows[question];
    row.question = question_without_mode(from.result->point);
    row.before = &from;
    row.after = &to->second;
    const double spread =
        run_spread_percent(asked_question(row.question, sides[after].header->device.api), is_on_slope(curves, row.question));
    row.change = change_of_answers(row, smallest_percent(relation), spread, depth);
    row.verdict = judge(row, relation);
  }
  for (const auto& [question, to] : sides[after].answers) {
    if (!sides[before].answers.contains(question)) pair.added.push_back(unanswered(question, sides[before]));
  }
  return pair;
}

std::vector<SidePair> find_pairs(const std::vector<Side>& sides, const std::map<DeviceKey, std::vector<std::size_t>>& places,
                                 ComparisonDepth depth) {
  std::vector<SidePair> pairs;
  const auto add = [&](SidePair::Relation relation, std::size_t before, std::size_t after) {
    SidePair pair = compare_sides(sides, relation, before, after, depth);
    if (!pair.rows.empty()) pairs.push_back(std::move(pair));
  };
  for (const auto& [key, of_device] : places) {
    const auto& [source, identity, api] = key;
    if (source == "published") continue;
    for (std::size_t i = 1; i < of_device.size(); ++i) add(SidePair::Relation::states, of_device[0], of_device[i]);
    const auto vulkan = places.find({source, identity, "vulkan"});
    if (depth == ComparisonDepth::key_figures || api != "opencl" || vulkan == places.end()) continue;
    for (std::size_t i = 0; i < std::min(of_device.size(), vulkan->second.size()); ++i)
      add(SidePair::Relation::apis, of_device[i], vulkan->second[i]);
  }
  return pairs;
}

/// The last results of a side's points, of the experiments that `counts` accepts.
std::vector<PointResult> last_results(const Side& side, bool (*counts)(std::string_view experiment)) {
  std::map<std::string, const PointResult*> last;
  for (const Run& run : side.runs) {
    for (const PointHistory& point : run.points) {
      if (!point.result || !counts(point.point->experiment)) continue;
      const auto [found, is_new] = last.emplace(to_string(*point.point), point.result);
      if (!is_new && later_counts(*found->second, *point.result)) found->second = point.result;
    }
  }
  std::vector<PointResult> results;
  results.reserve(last.size());
  for (const auto& [name, result] : last) results.push_back(*result);
  return results;
}

std::vector<MapChange> compare_chip_maps(const std::vector<Side>& sides) {
  std::vector<std::vector<ChipMap>> maps;
  for (const Side& side : sides) maps.push_back(read_chip_maps(last_results(side, shows_chip_map)));
  std::vector<MapChange> changes;
  for (std::size_t before = 0; before < sides.size(); ++before) {
    for (std::size_t after = before + 1; after < sides.size(); ++after) {
      for (const ChipMap& first : maps[before]) {
        const auto second = std::ranges::find(maps[after], first.access, &ChipMap::access);
        if (second == maps[after].end()) continue;
        if (const auto agreement = percycle::compare_maps(first, *second))
          changes.push_back({before, after, first.access, *agreement});
      }
    }
  }
  return changes;
}

/// Published figures have no curves.
void find_hierarchies(std::vector<Side>& sides, HierarchyDepth depth) {
  on_all_cores(sides.size(), [&](std::size_t i) {
    if (!sides[i].header->published()) sides[i].hierarchy = find_hierarchy(last_results(sides[i], shows_hierarchy), depth);
  });
}

/// Compares sizes of caches and marks the changes near their edges.
void compare_edges(RunComparison& comparison) {
  for (SidePair& pair : comparison.pairs) {
    const Side& before = comparison.sides[pair.before];
    const Side& after = comparison.sides[pair.after];
    for (FindingChange& change : finding_changes(before.hierarchy, after.hierarchy))
      (change.kind == kLevelsTitle ? pair.sizes : pair.findings).push_back(std::move(change));
    mark_edges(pair.rows, {before, before.hierarchy}, {after, after.hierarchy}, pair.sizes);
  }
}

}  // namespace

std::size_t ChangeRow::fewest_runs() const { return std::min(before->runs.size(), after->runs.size()); }

std::size_t SidePair::count(ChangeVerdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return row.second.verdict == verdict; }));
}

Point question_without_mode(const Point& point) {
  Point question{point.experiment, question_of(point)};
  // Modes of the kernel, chosen or not, are no part of the question.
  for (const char* mode : kModes) question.parameters.erase(mode);
  return question;
}

Point question_of(const Point& point, const Header& header) {
  return header.published() ? Point{point.experiment, question_of(point)} : question_without_mode(point);
}

std::span<const Word<ChangeVerdict>> words(ChangeVerdict) {
  static constexpr Word<ChangeVerdict> kWords[]{{ChangeVerdict::better, "better"},
                                                {ChangeVerdict::worse, "worse"},
                                                {ChangeVerdict::noise, "noise"},
                                                {ChangeVerdict::edge, "edge"}};
  return kWords;
}

std::string_view to_string(ChangeVerdict verdict) { return word_of(verdict); }

std::span<const Word<SidePair::Relation>> words(SidePair::Relation) {
  static constexpr Word<SidePair::Relation> kWords[]{{SidePair::Relation::states, "states"}, {SidePair::Relation::apis, "apis"}};
  return kWords;
}

RunComparison compare(const std::vector<LoadedFile>& files, const LimitsCatalogue& catalogue, ComparisonDepth depth) {
  RunComparison comparison;
  const auto places = find_sides(files, catalogue, comparison.sides);
  if (comparison.sides.size() < 2) {
    throw UsageError("nothing to compare: these files have only one device through one API in one state, or no run");
  }
  find_hierarchies(comparison.sides, depth == ComparisonDepth::all ? HierarchyDepth::all : HierarchyDepth::levels);
  comparison.pairs = find_pairs(comparison.sides, places, depth);
  compare_edges(comparison);
  if (depth == ComparisonDepth::key_figures) return comparison;
  std::set<std::pair<std::string, std::string>> silicon;
  for (const auto& [key, of_device] : places)
    silicon.emplace(std::get<0>(key) + std::get<1>(key), std::get<0>(key) == "published" ? std::get<2>(key) : "");
  comparison.maps = compare_chip_maps(comparison.sides);
  if (silicon.size() > 1) comparison.tables = comparison_tables(comparison.sides);
  if (comparison.pairs.empty() && comparison.tables.empty() && comparison.maps.empty()) {
    throw UsageError("nothing to compare: no point ended ok on two of the devices and states in these files");
  }
  return comparison;
}

void keep_experiments(RunComparison& comparison, const std::vector<std::string>& names) {
  const auto is_other = [&](const std::string& name) { return std::ranges::find(names, name) == names.end(); };
  const auto is_of_other = [&](const std::string& question) { return is_other(question.substr(0, question.find(' '))); };
  for (SidePair& pair : comparison.pairs) {
    std::erase_if(pair.rows, [&](const auto& row) { return is_other(row.second.question.experiment); });
    std::erase_if(pair.missing, is_of_other);
    std::erase_if(pair.added, is_of_other);
    pair.sizes.clear();
    pair.findings.clear();
  }
  std::erase_if(comparison.pairs, [](const SidePair& pair) { return pair.rows.empty(); });
  std::erase_if(comparison.tables, [&](const auto& table) { return is_other(table.first); });
  comparison.maps.clear();
}

}  // namespace percycle
