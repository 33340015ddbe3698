#include "report/comparison_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/counted.hpp"
#include "core/figures.hpp"
#include "core/parameters.hpp"
#include "core/units.hpp"
#include "report/finding_changes.hpp"
#include "report/markdown_table.hpp"
#include "report/point_row.hpp"
#include "report/text_table.hpp"
#include "report/wrap.hpp"
#include "store/header_names.hpp"

namespace percycle {
namespace {

constexpr std::size_t kNamed = 3;       // points named that only one side has
constexpr std::size_t kMostShown = 20;  // changes or questions shown per experiment in plain text
constexpr std::size_t kShownGaps = 5;   // the same between APIs, which differ at most points

std::string quantity(double value) { return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value); }

/// "net cycles/op": the unit of an answer.
std::string unit_of(const SideAnswer& answer) { return figure_title(answer.metric.name, {.unit = answer.header->shown_unit()}); }

using SideNames = std::map<std::string, std::string>;  // by the id of the side's header

std::string describe(const Side& side, const SideNames& names) {
  const Header& header = *side.header;
  const DeviceInfo& device = header.device;
  const std::string files = fmt::format("{}", fmt::join(side.files, ", "));
  if (header.published()) {
    return fmt::format("{} ({}), published in {} ({}), not measured by percycle: {}", device.name, device.vendor,
                       header.publication->document, header.publication->year, files);
  }
  const std::string units = device.units ? fmt::format(", {} x {}", device.units->value, header.shown_unit()) : "";
  return fmt::format("{} ({}, {}{}{}), {}, {} {}: {}", names.at(header.id), to_string(device.api),
                     header.simulated() ? "" : "driver ", device.driver, units, counted(side.runs.size(), "run"),
                     header.simulated() ? "simulated, not a measurement," : "measured", header.created, files);
}

/// A size with up to five digits, because points that lie close together must differ in the text.
std::string fine_size(std::uint64_t bytes) {
  const auto [unit, name] = bytes < kMiB   ? std::pair(kKiB, "KiB")
                            : bytes < kGiB ? std::pair(kMiB, "MiB")
                                           : std::pair(kGiB, "GiB");
  const bool is_short = bytes < 10 * kKiB && bytes % (kKiB / 4) != 0;
  if (bytes < kKiB || is_short) return fmt::format("{} B", bytes);
  return fmt::format("{:.5g} {}", static_cast<double>(bytes) / static_cast<double>(unit), name);
}

class Text {
 public:
  explicit Text(TextFormat format) : format_(format) {}

  bool is_plain() const { return format_ == TextFormat::plain; }
  bool is_markdown() const { return format_ == TextFormat::markdown; }

  void heading(const std::string& title) {
    if (!text_.empty()) text_ += '\n';
    text_ += is_markdown() ? fmt::format("## {}\n\n", markdown_text(title)) : title + '\n';
  }
  void line(const std::string& line) { text_ += is_markdown() ? "- " + markdown_text(line) + "\n" : "  " + line + "\n"; }
  /// A table whose cells of column `breaks` may break.
  void table(const TextTable& table, std::size_t breaks, std::string_view indent = "  ") {
    text_ += is_markdown() ? markdown_table(table) + "\n"
                           : render(is_plain() ? fit_table(table, breaks, kTableColumns - indent.size()) : table, indent);
  }
  /// "footprint=4 KiB path=global", with every digit in Markdown, without those in `shared`; "-"
  /// without parameters.
  std::string parameters_of(const Point& question, const Parameters& shared = {}) const {
    std::string text;
    for (const auto& [name, value] : question.parameters) {
      if (shared.contains(name)) continue;
      const auto* number = std::get_if<std::int64_t>(&value);
      const bool is_size = !is_markdown() && number && *number >= 0 && is_bytes(name);
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                          is_size ? fine_size(static_cast<std::uint64_t>(*number)) : to_string(value));
    }
    return text.empty() ? "-" : text;
  }
  /// The number of changes or questions shown per experiment.
  std::size_t most_rows() const { return is_plain() ? kMostShown : std::numeric_limits<std::size_t>::max(); }
  std::size_t most_gaps() const { return is_plain() ? kShownGaps : std::numeric_limits<std::size_t>::max(); }
  std::string take() && { return is_plain() ? wrap_lines(text_, kTableColumns) : std::move(text_); }

 private:
  TextFormat format_;
  std::string text_;
};

/// The parameters that all of several points share.
Parameters shared_parameters(const std::vector<const Point*>& points) {
  Parameters shared;
  if (points.size() > 1) shared = points.front()->parameters;
  for (const Point* point : points) {
    std::erase_if(shared, [&](const auto& parameter) {
      const auto found = point->parameters.find(parameter.first);
      return found == point->parameters.end() || found->second != parameter.second;
    });
  }
  return shared;
}

/// "latency: lanes=1 path=global": the title of a table without the parameters that it shares.
std::string shared_title(const Text& text, const std::string& experiment, const Parameters& shared) {
  return shared.empty() ? experiment : fmt::format("{}: {}", experiment, text.parameters_of({experiment, shared}));
}

std::string title(const SidePair& pair, const std::vector<Side>& sides, const SideNames& names) {
  const Side& before = sides[pair.before];
  const Side& after = sides[pair.after];
  const DeviceInfo& from = before.header->device;
  const DeviceInfo& to = after.header->device;
  if (pair.relation == SidePair::Relation::apis)
    return fmt::format("{} through Vulkan ({}) against OpenCL ({})", names.at(before.header->id), after.name, before.name);
  const std::string device = fmt::format("{}, {}", names.at(before.header->id), to_string(from.api));
  if (from.driver == to.driver) return fmt::format("{}: from {} to {}", device, before.name, after.name);
  return fmt::format("{}: from {} ({}) to {} ({})", device, from.driver, before.name, to.driver, after.name);
}

/// The question with sizes as in the tables. " (failed)" behind it, the outcome on the other side,
/// becomes " (B: failed)".
std::string with_sizes(const Text& text, const Side& side, const Side& other, const std::string& question) {
  auto answer = side.answers.upper_bound(question);
  if (answer == side.answers.begin() || !question.starts_with((--answer)->first)) return question;
  const Point point = question_without_mode(answer->second.result->point);
  std::string outcome = question.substr(answer->first.size());
  if (!outcome.empty()) outcome.insert(2, other.name + ": ");
  return fmt::format("{} {}{}", point.experiment, text.parameters_of(point), outcome);
}

void add_names(Text& text, const Side& side, const Side& other, const std::vector<std::string>& points) {
  if (points.empty()) return;
  std::vector<std::string> named(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(std::min(points.size(), kNamed)));
  for (std::string& point : named) point = with_sizes(text, side, other, point);
  const std::string more = points.size() > kNamed ? fmt::format("; and {} more", points.size() - kNamed) : "";
  text.line(fmt::format("ok in {} only: {}{}", side.name, fmt::join(named, "; "), more));
}

/// Changes above noise, by experiment, the largest first; for one device over time worse ones
/// before better ones. Those at a cache's edge come last, if at all.
std::vector<const ChangeRow*> changes_of(const SidePair& pair, bool with_edges) {
  std::vector<const ChangeRow*> changed;
  for (const auto& [question, row] : pair.rows) {
    if (row.verdict == ChangeVerdict::edge ? with_edges : row.verdict != ChangeVerdict::noise) changed.push_back(&row);
  }
  std::stable_sort(changed.begin(), changed.end(), [&](const ChangeRow* a, const ChangeRow* b) {
    if (a->question.experiment != b->question.experiment) return a->question.experiment < b->question.experiment;
    const auto place = [&](const ChangeRow& row) {
      const bool is_last = pair.relation == SidePair::Relation::states && row.verdict == ChangeVerdict::better;
      return row.verdict == ChangeVerdict::edge ? 2 : is_last ? 1 : 0;
    };
    if (place(*a) != place(*b)) return place(*a) < place(*b);
    return std::abs(a->percent()) > std::abs(b->percent());
  });
  return changed;
}

/// "within 1 %: 150 of 187 points; median +0.30 %; largest -12.00 % (latency footprint=64 MiB)".
/// The largest is not at a cache's edge, if any other point is there.
std::string overall(const Text& text, const SidePair& pair) {
  std::vector<double> percents;
  const ChangeRow* largest = nullptr;
  for (const auto& [question, row] : pair.rows) {
    percents.push_back(row.percent());
    const auto rank = [](const ChangeRow& change) {
      return std::pair(change.verdict != ChangeVerdict::edge, std::abs(change.percent()));
    };
    if (!largest || rank(row) > rank(*largest)) largest = &row;
  }
  std::sort(percents.begin(), percents.end());
  const auto within =
      std::count_if(percents.begin(), percents.end(), [](double each) { return std::abs(each) <= kNoisePercent; });
  return fmt::format("within {:g} %: {} of {}; median {:+.2f} %; largest {:+.2f} % ({} {})", kNoisePercent, within,
                     counted(percents.size(), "point"), percents[percents.size() / 2], largest->percent(),
                     largest->question.experiment, text.parameters_of(largest->question));
}

TextTable change_columns(const Side& before, const Side& after) {
  return {.columns = {{"point", Align::left},
                      {before.name},
                      {after.name},
                      {"unit", Align::left},
                      {"change %"},
                      {"95 % interval"},
                      {"", Align::left}},
          .rows = {}};
}

TextRow change_row(const ChangeRow& row, std::string point) {
  return {{std::move(point), quantity(row.before->value), quantity(row.after->value), unit_of(*row.after),
           fmt::format("{:+.2f}", row.percent()),
           fmt::format("{:+.2f} to {:+.2f}", 100 * (row.change.low - 1), 100 * (row.change.high - 1)),
           std::string(to_string(row.verdict))},
          {}};
}

/// One table, for programs that read Markdown.
void add_markdown_changes(Text& text, const std::vector<const ChangeRow*>& changed, const Side& before, const Side& after) {
  TextTable table = change_columns(before, after);
  table.columns.insert(table.columns.begin(), TextColumn{"experiment", Align::left});
  for (const ChangeRow* row : changed) {
    table.rows.push_back(change_row(*row, text.parameters_of(row->question)));
    table.rows.back().cells.insert(table.rows.back().cells.begin(), row->question.experiment);
  }
  if (!changed.empty()) text.table(table, 1);
}

/// A table per experiment. Only plain text moves shared parameters into its title.
void add_changes(Text& text, const std::vector<const ChangeRow*>& changed, const Side& before, const Side& after,
                 std::size_t most) {
  std::vector<std::string> more;
  for (auto begin = changed.begin(); begin != changed.end();) {
    const std::string& experiment = (*begin)->question.experiment;
    const auto end =
        std::find_if(begin, changed.end(), [&](const ChangeRow* row) { return row->question.experiment != experiment; });
    const auto changes = static_cast<std::size_t>(end - begin);
    const std::size_t shown = std::min(changes, most);
    if (shown < changes) more.push_back(fmt::format("{} of {}", changes - shown, experiment));
    std::vector<const Point*> points;
    for (std::size_t i = 0; i < shown; ++i) points.push_back(&begin[static_cast<std::ptrdiff_t>(i)]->question);
    const Parameters shared = text.is_plain() ? shared_parameters(points) : Parameters();
    TextTable table = change_columns(before, after);
    for (std::size_t i = 0; i < shown; ++i)
      table.rows.push_back(change_row(*begin[static_cast<std::ptrdiff_t>(i)], text.parameters_of(*points[i], shared)));
    text.line(shared_title(text, experiment, shared));
    text.table(table, 0, "    ");
    begin = end;
  }
  if (!more.empty()) text.line(fmt::format("smaller ones, listed by --all --wide and --json: {}", fmt::join(more, ", ")));
}

/// "4 MiB to 2 MiB, -50 %, worse"
std::string change_words(const FindingChange& change) {
  const auto words = [&](double value) {
    return change.is_bytes ? format_bytes(static_cast<std::uint64_t>(value)) : quantity(value);
  };
  return fmt::format("{} to {}, {:+.0f} %, {}", words(change.before), words(change.after), change.percent(),
                     to_string(change.verdict));
}

/// A line for each other finding that changed.
void add_findings(Text& text, const SidePair& pair) {
  for (const FindingChange& change : pair.findings) {
    if (change.verdict != ChangeVerdict::noise)
      text.line(fmt::format("{}, {}: {} {}", change.kind, fmt::join(change.row, ", "), change.column, change_words(change)));
  }
}

/// A line for each changed size, with all paths that see it, and the number of the others.
void add_sizes(Text& text, const SidePair& pair) {
  std::size_t same = 0;
  std::size_t doubtful = 0;
  // A level with its paths, and its sizes.
  std::vector<std::pair<std::string, std::string>> changed;
  for (const FindingChange& change : pair.sizes) {
    if (change.verdict == ChangeVerdict::noise) {
      ++(change.is_doubtful ? doubtful : same);
      continue;
    }
    const std::string sizes = change_words(change);
    const auto found = std::find_if(changed.begin(), changed.end(), [&](const auto& line) {
      return line.second == sizes && line.first.starts_with(change.word(1) + ',');
    });
    if (found == changed.end())
      changed.emplace_back(fmt::format("{}, {}", change.word(1), change.word(0)), sizes);
    else
      found->first += ", " + change.word(0);
  }
  for (const auto& [cache, sizes] : changed) text.line(fmt::format("size of {}: {}", cache, sizes));
  if (same > 0) text.line(fmt::format("cache sizes: {} agree within {:g} % or their bounds", same, kFindingNoisePercent));
  if (doubtful > 0) text.line(fmt::format("cache sizes: {} too doubtful to compare", doubtful));
  if (const std::size_t edges = pair.count(ChangeVerdict::edge); edges > 0)
    text.line(fmt::format("{} beside the edge of a cache {} as after a shift of the edge{}", counted(edges, "point"),
                          edges == 1 ? "differs" : "differ", text.is_plain() ? "; --all --wide lists them" : ""));
}

void add_pair(Text& text, const SidePair& pair, const std::vector<Side>& sides, const SideNames& names) {
  const Side& before = sides[pair.before];
  const Side& after = sides[pair.after];
  const std::vector<const ChangeRow*> changed = changes_of(pair, !text.is_plain());
  const bool is_few_runs =
      std::any_of(pair.rows.begin(), pair.rows.end(), [](const auto& row) { return row.second.fewest_runs() < kEnoughRuns; });

  text.heading(title(pair, sides, names));
  if (!pair.rows.empty()) text.line(overall(text, pair));
  if (text.is_markdown())
    add_markdown_changes(text, changed, before, after);
  else
    add_changes(text, changed, before, after, pair.relation == SidePair::Relation::apis ? text.most_gaps() : text.most_rows());
  const std::string rest =
      pair.relation == SidePair::Relation::apis ? fmt::format("within {:g} % or the noise", kApiGapPercent) : "noise";
  const std::size_t edges = pair.count(ChangeVerdict::edge);
  text.line(fmt::format("{}: {} worse, {} better, {}{} {}", counted(pair.rows.size(), "common point"),
                        pair.count(ChangeVerdict::worse), pair.count(ChangeVerdict::better),
                        edges > 0 ? fmt::format("{} at an edge, ", edges) : "", pair.count(ChangeVerdict::noise), rest));
  add_sizes(text, pair);
  add_findings(text, pair);
  if (pair.relation == SidePair::Relation::states && is_few_runs) {
    text.line(fmt::format(
        "with fewer than {} runs per side, each interval includes the spread between runs that was seen on other cards",
        kEnoughRuns));
  }
  if (before.header->kernels_hash != after.header->kernels_hash)
    text.line("measured with different kernels of percycle, which may cause a change");
  if (before.header->simulated()) text.line("simulated: no device was measured");
  add_names(text, before, after, pair.missing);
  add_names(text, after, before, pair.added);
}

/// "A and B: the same card by load accesses, whose lines correlate at 0.998".
std::string map_words(const MapChange& map, const std::vector<Side>& sides) {
  const char* verdict = map.agreement.verdict == SameCard::yes  ? "the same card"
                        : map.agreement.verdict == SameCard::no ? "two cards"
                                                                : "perhaps two cards";
  return fmt::format("{} and {}: {} by {} accesses, whose lines correlate at {:.3f}", sides[map.before].name,
                     sides[map.after].name, verdict, map.access, map.agreement.correlation);
}

std::string in_cycles(const SideAnswer& answer) {
  const Measurement& measurement = *answer.result->measurement;
  const std::string unit = answer.header->shown_unit();
  if (const auto bytes = answer.against_limit.bytes_per_unit_cycle)
    return with_unit(*bytes, figures::kBytesPerUnitCycle, {.unit = unit});
  if (const auto ops = statistic_median(measurement, figures::kOpsPerUnitCycle))
    return with_unit(*ops, figures::kOpsPerUnitCycle, {.unit = unit});
  const auto cycles = statistic_median(measurement, figures::kCyclesPerOp);
  if (answer.metric.name != figures::kNsPerOp || !cycles) return {};
  const auto net = statistic_median(measurement, figures::kNetCyclesPerOp);
  return quantity(*cycles) + " " + unit_text::kCycles + (net ? fmt::format(" (net {})", quantity(*net)) : "");
}

/// The ratio of the largest to the smallest answer, by one metric; 0 if a value allows no ratio.
double spread(const TableRow& row) {
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0;
  std::string_view metric;
  for (const SideAnswer* answer : row.answers) {
    if (answer == nullptr) continue;
    if (metric.empty()) metric = answer->metric.name;
    if (answer->metric.name != metric) continue;
    least = std::min(least, answer->value);
    greatest = std::max(greatest, answer->value);
  }
  return least > 0 ? greatest / least : 0;
}

/// The rows whose answers differ most, in the table's order.
std::vector<const TableRow*> furthest_apart(const std::vector<TableRow>& rows, std::size_t most) {
  std::vector<const TableRow*> shown;
  for (const TableRow& row : rows) shown.push_back(&row);
  if (shown.size() <= most) return shown;
  std::stable_sort(shown.begin(), shown.end(), [](const TableRow* a, const TableRow* b) { return spread(*a) > spread(*b); });
  shown.resize(most);
  std::sort(shown.begin(), shown.end());
  return shown;
}

void add_table(Text& text, const std::string& experiment, const std::vector<TableRow>& rows, const std::vector<Side>& sides,
               const SideNames& names) {
  const std::vector<const TableRow*> shown = furthest_apart(rows, text.most_rows());
  std::vector<const Point*> points;
  for (const TableRow* row : shown) points.push_back(&row->question);
  const Parameters shared = text.is_plain() ? shared_parameters(points) : Parameters();
  text.heading(shared_title(text, experiment, shared));
  TextTable table{
      .columns =
          {{"point", Align::left}, {"device", Align::left}, {"value"}, {"unit", Align::left}, {"in cycles"}, {"% of limit"}},
      .rows = {}};
  bool any_wider = false;
  for (const TableRow* shown_row : shown) {
    const TableRow& row = *shown_row;
    std::string point = text.parameters_of(row.question, shared);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const SideAnswer* answer = row.answers[i];
      if (answer == nullptr) continue;
      any_wider |= row.is_wider[i];
      const auto& efficiency = answer->against_limit.efficiency;
      table.rows.push_back(
          {{point, fmt::format("{} {}{}", sides[i].name, names.at(sides[i].header->id), row.is_wider[i] ? " *" : ""),
            quantity(answer->value), unit_of(*answer), in_cycles(*answer),
            efficiency ? fmt::format("{:.1f}", 100 * *efficiency) : std::string()},
           {}});
      point.clear();
    }
  }
  text.table(table, 0);
  if (shown.size() < rows.size())
    text.line(fmt::format("{} more with smaller differences, listed by --all --wide and --json", rows.size() - shown.size()));
  if (any_wider) text.line("*: its document names fewer of the parameters");
}

}  // namespace

std::string to_text(const RunComparison& comparison, TextFormat format) {
  std::vector<const Header*> headers;
  for (const Side& side : comparison.sides) headers.push_back(side.header);
  const SideNames names = header_names(headers);
  Text text(format);
  text.heading("Compared");
  for (const Side& side : comparison.sides) text.line(fmt::format("{}  {}", side.name, describe(side, names)));
  for (const SidePair& pair : comparison.pairs) add_pair(text, pair, comparison.sides, names);
  if (!comparison.maps.empty()) text.heading("Maps of the chips");
  for (const MapChange& map : comparison.maps) text.line(map_words(map, comparison.sides));
  for (const auto& [experiment, rows] : comparison.tables) add_table(text, experiment, rows, comparison.sides, names);
  return std::move(text).take();
}

}  // namespace percycle
