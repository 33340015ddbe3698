#include "core/figures.hpp"

#include <fmt/format.h>

#include <vector>

namespace percycle {
namespace {

using enum Direction;

constexpr bool positive = true;
constexpr bool any = false;
constexpr int last = 99;

constexpr std::array kFigures{
    Figure{figures::kGbPerS, 1, "", "GB/s", higher, positive, Format::quantity, figures::kBytesPerUnitCycle,
           figures::kLimitGbPerS},
    Figure{figures::kGopsPerS, 2, "", "G{ops}/s", higher, positive, Format::quantity, figures::kOpsPerUnitCycle},
    Figure{figures::kNsPerOp, 3, "", "ns/{op}", lower, positive, Format::quantity, figures::kCyclesPerOp},
    Figure{"least", last, "least", ""},
    Figure{"most", last, "most", ""},
    Figure{figures::kMadPercent, 17, "MAD", "%", lower, any, Format::percent},
    Figure{"n", 19, "n", "", neither, any, Format::plain},
    Figure{figures::kOpsPerUnitCycle, 13, "", "{ops}/{unit}/cycle", higher, positive, Format::quantity, "",
           figures::kLimitOpsPerUnitCycle},
    Figure{figures::kBytesPerUnitCycle, 12, "", "B/{unit}/cycle", higher, positive, Format::quantity, "",
           figures::kLimitBytesPerUnitCycle},
    Figure{figures::kLimitGbPerS, 22, "limit", "GB/s"},
    Figure{figures::kLimitBytesPerUnitCycle, last, "limit", "B/{unit}/cycle"},
    Figure{figures::kLimitOpsPerUnitCycle, last, "limit", "{ops}/{unit}/cycle"},
    Figure{figures::kEfficiency, 14, "", "% of limit", higher, any, Format::percent},
    Figure{"limit", last, "limit", "", neither, any, Format::words},
    Figure{figures::kCyclesPerOp, 15, "", "cycles/{op}", lower, positive},
    Figure{figures::kClockMhz, 18, "clock", "MHz", neither, any, Format::rounded},
    Figure{"clock", 20, "clock", "", neither, any, Format::words},
    Figure{figures::kClocksDifferPercent, last, "clocks differ", "%", lower, any, Format::percent},
    Figure{"time", last, "time", "", neither, any, Format::words},
    Figure{figures::kSteadyGbPerS, 5, "steady", "GB/s", higher},
    Figure{figures::kSteadyGopsPerS, 6, "steady", "Gops/s", higher},
    Figure{figures::kSteadyAfterS, 7, "steady after", "s"},
    Figure{figures::kRateConstantS, last, "constant", "s"},
    Figure{figures::kSteadyMhz, last, "steady", "MHz", neither, any, Format::rounded},
    Figure{figures::kSteadyW, 8, "steady", "W"},
    Figure{figures::kSteadyC, 9, "steady", "°C"},
    Figure{figures::kHeatConstantS, last, "heating constant", "s"},
    Figure{figures::kPjPerByte, 10, "", "pJ/B", lower},
    Figure{figures::kPjPerOperation, 11, "", "pJ/operation", lower},
    Figure{figures::kGbPerJoule, last, "", "GB/J", higher},
    Figure{figures::kGopsPerJoule, last, "", "Gops/J", higher},
    Figure{figures::kEnergyJ, last, "energy", "J"},
    Figure{figures::kIntegratedJ, last, "power over time", "J"},
    // From here in the order of their names.
    Figure{figures::kBusyShare, last, "busy share", ""},
    Figure{figures::kControlCyclesPerOp, last, "control", "cycles/{op}", lower, positive},
    Figure{figures::kControlNsPerOp, last, "control", "ns/{op}", lower, positive},
    Figure{figures::kDeviceNsPerOp, last, "device", "ns/{op}", lower, positive},
    Figure{figures::kFairness, 3, "fairness", "shorter/longer", higher, positive},
    Figure{"fastest_cycles_per_op", last, "fastest", "cycles/{op}", lower, positive},
    Figure{figures::kFastestNsPerOp, last, "fastest", "ns/{op}", lower, positive},
    Figure{figures::kGroupsAtOnce, last, "groups at once", "", neither, positive},
    Figure{figures::kMostAtOnce, last, "resident", "groups", higher, positive},
    Figure{figures::kNetCyclesPerOp, 16, "net", "cycles/{op}", lower},
    Figure{figures::kNetNsPerOp, 21, "net", "ns/{op}", lower, any, Format::quantity, figures::kNetCyclesPerOp},
    Figure{figures::kOverlap, 2, "overlap", "alone/together", higher, positive},
    Figure{figures::kRunBytes, last, "code", "", neither, any, Format::bytes},
    Figure{figures::kTrafficBytesPerUnitCycle, last, "traffic", "B/{unit}/cycle", higher},
    Figure{figures::kTrafficGbPerS, 4, "traffic", "GB/s", higher, any, Format::quantity, figures::kTrafficBytesPerUnitCycle},
    Figure{figures::kTriesPerOp, last, "", "tries/{op}", lower},
    Figure{"trip_ns_per_op", 4, "trip", "ns/{op}", lower},
    Figure{"units", last, "units", "", neither, positive},
};

std::string filled(std::string text, std::string_view field, std::string_view word) {
  if (const std::size_t place = text.find(field); place != std::string::npos) text.replace(place, field.size(), word);
  return text;
}

std::string filled(std::string_view text, const UnitWords& words) {
  return filled(filled(filled(std::string(text), "{op}", words.op), "{ops}", words.ops), "{unit}", words.unit);
}

/// "dependent_ns_per_op" to "dependent ns/{op}".
std::string words_of_name(std::string_view name) {
  static constexpr std::string_view kSuffix = "_per_op";
  const bool is_per_op = name.ends_with(kSuffix);
  std::string words(name.substr(0, name.size() - (is_per_op ? kSuffix.size() : 0)));
  std::ranges::replace(words, '_', ' ');
  return is_per_op ? words + "/{op}" : words;
}

}  // namespace

std::span<const Figure> all_figures() { return kFigures; }

Figure figure_called(std::string_view name) {
  const auto found = std::ranges::find(kFigures, name, &Figure::name);
  return found == kFigures.end() ? Figure{name, last, "", ""} : *found;
}

bool is_better(std::string_view name, double value, double than) {
  return figure_called(name).better == Direction::lower ? value < than : value > than;
}

std::span<const std::string_view> positive_statistics() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> found;
    for (const Figure& figure : kFigures) {
      if (figure.is_positive) found.push_back(figure.name);
    }
    return found;
  }();
  return names;
}

std::string figure_unit(std::string_view name, const UnitWords& words) { return filled(figure_called(name).unit, words); }

std::string figure_title(std::string_view name, const UnitWords& words) {
  const Figure figure = figure_called(name);
  if (figure.words.empty() && figure.unit.empty()) return filled(words_of_name(name), words);
  const char* gap = figure.words.empty() || figure.unit.empty() ? "" : " ";
  return filled(fmt::format("{}{}{}", figure.words, gap, figure.unit), words);
}

std::string with_unit(double value, std::string_view name, const UnitWords& words) {
  const std::string number = value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
  return fmt::format("{} {}", number, figure_unit(name, words));
}

std::string in_unit(double value, int decimals, const char* unit) { return fmt::format("{:.{}f} {}", value, decimals, unit); }

std::string latency_words(const std::optional<double>& cycles, double ns) {
  return cycles ? in_unit(*cycles, 1, unit_text::kCycles) : in_unit(ns, ns < 10 ? 2 : 1, unit_text::kNs);
}

}  // namespace percycle
