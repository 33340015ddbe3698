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
    Figure{"gb_per_s", 1, "", "GB/s", higher, positive, Format::quantity, "bytes_per_unit_cycle", "limit_gb_per_s"},
    Figure{"gops_per_s", 2, "", "G{ops}/s", higher, positive, Format::quantity, "ops_per_unit_cycle"},
    Figure{"ns_per_op", 3, "", "ns/{op}", lower, positive, Format::quantity, "cycles_per_op"},
    Figure{"least", last, "least", ""},
    Figure{"most", last, "most", ""},
    Figure{"mad_percent", 17, "MAD", "%", lower, any, Format::percent},
    Figure{"n", 19, "n", "", neither, any, Format::plain},
    Figure{"ops_per_unit_cycle", 13, "", "{ops}/{unit}/cycle", higher, positive, Format::quantity, "",
           "limit_ops_per_unit_cycle"},
    Figure{"bytes_per_unit_cycle", 12, "", "B/{unit}/cycle", higher, positive, Format::quantity, "",
           "limit_bytes_per_unit_cycle"},
    Figure{"limit_gb_per_s", 22, "limit", "GB/s"},
    Figure{"limit_bytes_per_unit_cycle", last, "limit", "B/{unit}/cycle"},
    Figure{"limit_ops_per_unit_cycle", last, "limit", "{ops}/{unit}/cycle"},
    Figure{"efficiency_percent", 14, "", "% of limit", higher, any, Format::percent},
    Figure{"limit", last, "limit", "", neither, any, Format::words},
    Figure{"cycles_per_op", 15, "", "cycles/{op}", lower, positive},
    Figure{"clock_mhz", 18, "clock", "MHz", neither, any, Format::rounded},
    Figure{"clock", 20, "clock", "", neither, any, Format::words},
    Figure{"clocks_differ_percent", last, "clocks differ", "%", lower, any, Format::percent},
    Figure{"time", last, "time", "", neither, any, Format::words},
    Figure{"steady_gb_per_s", 5, "steady", "GB/s", higher},
    Figure{"steady_gops_per_s", 6, "steady", "Gops/s", higher},
    Figure{"steady_after_s", 7, "steady after", "s"},
    Figure{"rate_constant_s", last, "constant", "s"},
    Figure{"steady_mhz", last, "steady", "MHz", neither, any, Format::rounded},
    Figure{"steady_w", 8, "steady", "W"},
    Figure{"steady_c", 9, "steady", "°C"},
    Figure{"heat_constant_s", last, "heating constant", "s"},
    Figure{"pj_per_byte", 10, "", "pJ/B", lower},
    Figure{"pj_per_operation", 11, "", "pJ/operation", lower},
    Figure{"gb_per_joule", last, "", "GB/J", higher},
    Figure{"gops_per_joule", last, "", "Gops/J", higher},
    Figure{"energy_j", last, "energy", "J"},
    Figure{"integrated_j", last, "power over time", "J"},
    // From here in the order of their names.
    Figure{"busy_share", last, "busy share", ""},
    Figure{"control_cycles_per_op", last, "control", "cycles/{op}", lower, positive},
    Figure{"control_ns_per_op", last, "control", "ns/{op}", lower, positive},
    Figure{"device_ns_per_op", last, "device", "ns/{op}", lower, positive},
    Figure{"fastest_cycles_per_op", last, "fastest", "cycles/{op}", lower, positive},
    Figure{"fastest_ns_per_op", last, "fastest", "ns/{op}", lower, positive},
    Figure{"groups_at_once", last, "groups at once", "", neither, positive},
    Figure{"most_at_once", last, "resident", "groups", higher, positive},
    Figure{"net_cycles_per_op", 16, "net", "cycles/{op}", lower},
    Figure{"net_ns_per_op", 21, "net", "ns/{op}", lower, any, Format::quantity, "net_cycles_per_op"},
    Figure{"tries_per_op", last, "", "tries/{op}", lower},
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

std::string latency_words(const std::optional<double>& cycles, double ns) {
  return cycles ? fmt::format("{:.1f} cycles", *cycles) : fmt::format("{:.{}f} ns", ns, ns < 10 ? 2 : 1);
}

}  // namespace percycle
