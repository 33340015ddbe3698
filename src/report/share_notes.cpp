#include "report/share_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/figures.hpp"
#include "core/units.hpp"

namespace percycle {
namespace {

constexpr double kSameClock = 0.01;
constexpr double kLeastNoise = 1;  // percent; few samples may lie closer together
// Memory that is nearly as fast as the caches: on CPUs the caches are at least three times as fast.
constexpr double kFasterCaches = 1.5;

std::optional<double> parameter(const PointRow& row, std::string_view name) {
  const Cell* cell = find_parameter(row, name);
  return cell ? number_of(*cell) : std::nullopt;
}

/// Bytes that a program reads and writes in one step; empty if a size is not in its row.
std::optional<double> bytes_of(const ProgramShare& program) {
  double bytes = program.bytes_per_op;
  for (const std::string& name : program.rule->size) {
    const auto value = parameter(*program.row, name);
    if (!value) return std::nullopt;
    bytes *= *value;
  }
  return bytes;
}

/// On a CPU the invocations of a work-group take turns, so only the chains of one overlap.
std::string chains_note(const PointRow& row) {
  const auto chains = parameter(row, "chains");
  const auto rate = figure(row, figures::kOpsPerUnitCycle);
  const std::string chains_words = chains ? fmt::format("the {:.0f} chains", *chains) : "the chains";
  const std::string rate_words = rate ? fmt::format(" ({:.1f} operations per cycle)", *rate) : "";
  return fmt::format(
      "this rate of multiply-adds is no ceiling; a CPU runs invocations in turn, so only {} of one invocation overlap, and the "
      "latency of an operation limits them{}",
      chains_words, rate_words);
}

/// Whether each chain did less than one operation per cycle, which only its latency explains.
bool is_latency_bound(const PointRow& row) {
  const auto chains = parameter(row, "chains");
  const auto rate = figure(row, figures::kOpsPerUnitCycle);
  return chains && rate && *rate < *chains;
}

std::optional<double> height_of(const std::vector<RoofHeight>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &RoofHeight::name);
  return found == all.end() ? std::nullopt : std::optional(found->height);
}

/// Why a CPU's driver or caches let a program move more bytes than the ceiling's kernel; empty if
/// no cause is known.
std::string cpu_bytes_note(const ProgramShare& program, const RoofHeight& roof, const std::vector<RoofHeight>& bandwidths) {
  const auto caches = height_of(bandwidths, "shared caches");
  const auto memory = height_of(bandwidths, "memory");
  if (caches && memory && *caches < kFasterCaches * *memory) {
    return fmt::format(
        "this bandwidth is no ceiling; reads reach {} from the shared caches and {} from memory, so the "
        "instructions of the loads limit both",
        with_unit(*caches, figures::kGbPerS), with_unit(*memory, figures::kGbPerS));
  }
  const auto bytes = bytes_of(program);
  const auto footprint = parameter(*roof.row, "footprint");
  if (bytes && footprint && *bytes < *footprint) {
    return fmt::format("the data ({}) are smaller than those of the ceiling ({}), so a cache holds more of them",
                       format_bytes(static_cast<std::uint64_t>(*bytes)), format_bytes(static_cast<std::uint64_t>(*footprint)));
  }
  return "";
}

/// The cause of a share above 100 %, as far as the two points tell it.
std::string excess_note(const ProgramShare& program, const RoofHeight& roof, const std::vector<RoofHeight>& bandwidths,
                        bool is_cpu) {
  const bool by_bytes = find_figure(*roof.row, figures::kGbPerS) != nullptr;
  std::string note;
  if (is_cpu) note = by_bytes ? cpu_bytes_note(program, roof, bandwidths) : chains_note(*roof.row);
  const auto clock = figure(*program.row, figures::kClockMhz);
  const auto clock_of_roof = figure(*roof.row, figures::kClockMhz);
  if (note.empty() && clock && clock_of_roof && *clock > *clock_of_roof * (1 + kSameClock)) {
    note = fmt::format("the program ran at {}, the points of the ceiling at {}", in_unit(*clock, 0, unit_text::kMhz),
                       in_unit(*clock_of_roof, 0, unit_text::kMhz));
  }
  if (note.empty()) {
    note = "the cause is unknown";
    if (program.row->run != roof.row->run) note += "; measure the program and its ceilings in one run";
  }
  return "suspect: the share exceeds 100 %: " + note;
}

/// The percentage up to which a share may differ from 100 % by the noise of its two points.
double noise_of(const ProgramShare& program, const RoofHeight& roof) {
  return std::max(kLeastNoise,
                  figure(*program.row, figures::kMadPercent).value_or(0) + figure(*roof.row, figures::kMadPercent).value_or(0));
}

}  // namespace

std::vector<std::string> share_notes(const ProgramShare& program, const RoofHeight& roof,
                                     const std::vector<RoofHeight>& bandwidths, bool is_cpu) {
  std::vector<std::string> notes;
  if (roof.name == program.rule->bandwidth)
    notes.push_back("the ceiling comes from reads; the program writes as many bytes as it reads");
  const double excess = program.share_percent().value_or(0) - 100;
  if (excess > noise_of(program, roof)) {
    notes.push_back(excess_note(program, roof, bandwidths, is_cpu));
  } else if (excess > 0) {
    notes.push_back("the rate equals the ceiling within the noise of both points");
  } else if (is_cpu && roof.name == program.rule->rate && is_latency_bound(*roof.row)) {
    notes.push_back(chains_note(*roof.row));
  }
  return notes;
}

}  // namespace percycle
