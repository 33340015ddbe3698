#include "exports/card_readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/schedulers.hpp"
#include "core/figures.hpp"
#include "presentation/presentation.hpp"
#include "report/efficiency.hpp"
#include "report/hierarchy_text.hpp"
#include "report/summary_figures.hpp"

namespace percycle {
namespace {

constexpr const char* kLocalPath = "local";

/// The first answer of the devices.
template <typename Ask>
auto first_of(const std::vector<const ReportDevice*>& devices, const Ask& ask) -> decltype(ask(*devices.front())) {
  for (const ReportDevice* device : devices) {
    if (auto answer = ask(*device)) return answer;
  }
  return {};
}

const Hierarchy* hierarchy_of(const ReportDevice& device) { return device.analysis ? &device.analysis->hierarchy : nullptr; }

/// With "perhaps " before a doubtful number.
CardNumber level_number(const LevelReading& found, double value, double confidence, const char* words) {
  return {value, fmt::format("{}{} of the {}, path {}", doubt_words(confidence), words, found.level->name, found.level->path),
          found.device};
}

/// "perhaps " before a latency that is doubtful.
std::string latency_words(const std::string& of, double confidence) {
  return fmt::format("{}latency of {} in cycles", doubt_words(confidence), of);
}

std::optional<CardNumber> memory_of(const ReportDevice& device, const std::string& path, const std::string& words) {
  const Hierarchy* hierarchy = hierarchy_of(device);
  if (!hierarchy) return std::nullopt;
  const auto found = std::ranges::find(hierarchy->memory, path.empty() ? main_path(*hierarchy) : path, &HierarchyMemory::path);
  if (found == hierarchy->memory.end() || !found->reached || !found->stated_cycles()) return std::nullopt;
  return CardNumber{*found->stated_cycles(), latency_words(words, found->confidence) + ", path " + found->path, &device};
}

/// The rates of pairs of subgroups, if the experiment measured them.
std::vector<SubgroupPair> pairs_of(const Presentation& about, const std::vector<PointRow>& points) {
  std::vector<SubgroupPair> pairs;
  if (about.map != PairMap::subgroups) return pairs;
  const GridChart& grid = about.grids.front();
  for (const PointRow* row : latest_rows(points)) {
    const Cell* first = find_parameter(*row, grid.x);
    const Cell* second = find_parameter(*row, grid.y);
    const auto name = std::ranges::find_if(grid.figures, [&](const std::string& each) { return figure(*row, each).has_value(); });
    if (!first || !second || name == grid.figures.end()) continue;
    pairs.push_back({static_cast<std::uint32_t>(number_of(*first).value_or(0)),
                     static_cast<std::uint32_t>(number_of(*second).value_or(0)), *figure(*row, *name)});
  }
  return pairs;
}

}  // namespace

CardNumber LevelReading::size() const {
  return level_number(*this, static_cast<double>(level->size_bytes), level->confidence, "bytes");
}
CardNumber LevelReading::line() const {
  return level_number(*this, static_cast<double>(level->line_bytes.value()), level->line_confidence, "bytes of a line");
}
CardNumber LevelReading::ways() const { return level_number(*this, level->ways.value(), level->ways_confidence, "ways"); }
CardNumber LevelReading::sets() const {
  return level_number(*this, static_cast<double>(level->sets.value()), level->ways_confidence, "sets");
}

std::optional<CardNumber> LevelReading::latency() const {
  if (!level->latency_cycles) return std::nullopt;
  return CardNumber{*level->latency_cycles,
                    latency_words("the " + level->name, level->latency_confidence) + ", path " + level->path, device};
}

CardReadings::CardReadings(const KeyColumn& card) {
  std::ranges::copy_if(card.devices, std::back_inserter(devices_),
                       [](const ReportDevice* device) { return device->source != Source::published; });
}

std::optional<CardNumber> CardReadings::units() const {
  return first_of(devices_, [](const ReportDevice& device) -> std::optional<CardNumber> {
    const auto& units = device.header().device.units;
    if (!units) return std::nullopt;
    return CardNumber{static_cast<double>(units->value), fmt::format("number of units ({})", to_string(units->provenance)),
                      &device, nullptr, true};
  });
}

std::optional<CardNumber> CardReadings::subgroup_size() const {
  return first_of(devices_, [](const ReportDevice& device) -> std::optional<CardNumber> {
    const auto& sizes = device.header().device.subgroup_sizes;
    if (sizes.empty()) return std::nullopt;
    return CardNumber{static_cast<double>(sizes.front()), "lanes of a subgroup (driver)", &device, nullptr, true};
  });
}

std::optional<CardNumber> CardReadings::local_memory_of_group() const {
  return first_of(devices_, [](const ReportDevice& device) -> std::optional<CardNumber> {
    const std::uint64_t bytes = device.header().device.local_memory_bytes;
    if (bytes == 0) return std::nullopt;
    return CardNumber{static_cast<double>(bytes), "bytes of local memory of a work-group (driver)", &device, nullptr, true};
  });
}

std::optional<CardNumber> CardReadings::schedulers() const {
  return first_of(devices_, [](const ReportDevice& device) -> std::optional<CardNumber> {
    for (const auto& [experiment, points] : device.experiments) {
      const auto found = scheduler_groups(pairs_of(presentation_of(experiment), points));
      if (found) return CardNumber{static_cast<double>(found->groups.size()), "schedulers of a unit", &device};
    }
    return std::nullopt;
  });
}

std::optional<CardNumber> CardReadings::resident(const char* words,
                                                 const std::function<std::optional<std::uint64_t>(const Residency&)>& of) const {
  return first_of(devices_, [&](const ReportDevice& device) -> std::optional<CardNumber> {
    const Hierarchy* hierarchy = hierarchy_of(device);
    const auto count = hierarchy ? of(hierarchy->residency) : std::nullopt;
    if (!count) return std::nullopt;
    return CardNumber{static_cast<double>(*count), fmt::format("{} that a unit holds at once", words), &device};
  });
}

std::optional<LevelReading> CardReadings::level(std::string_view name, std::string_view path) const {
  return first_of(devices_, [&](const ReportDevice& device) -> std::optional<LevelReading> {
    const Hierarchy* hierarchy = hierarchy_of(device);
    if (!hierarchy) return std::nullopt;
    const std::string wanted = path.empty() ? main_path(*hierarchy) : std::string(path);
    const auto found = std::ranges::find_if(hierarchy->levels, [&](const HierarchyLevel& level) {
      return level.path == wanted && (level.name == name || level.name == fmt::format("{} near", name));
    });
    if (found == hierarchy->levels.end()) return std::nullopt;
    return LevelReading{&*found, &device};
  });
}

std::optional<CardNumber> CardReadings::memory_latency() const {
  return first_of(devices_, [](const ReportDevice& device) { return memory_of(device, {}, "memory"); });
}

std::optional<CardNumber> CardReadings::local_latency() const {
  return first_of(devices_, [](const ReportDevice& device) { return memory_of(device, kLocalPath, "local memory"); });
}

std::optional<CardNumber> CardReadings::exported(std::string_view key, std::string_view figure_name) const {
  return first_of(devices_, [&](const ReportDevice& device) -> std::optional<CardNumber> {
    for (const auto& [experiment, points] : device.experiments) {
      for (const SummaryFigure& wanted : presentation_of(experiment).exported) {
        if (wanted.key != key || wanted.figure != figure_name) continue;
        const PointRow* row = summary_row(latest_rows(points), wanted, figure_name);
        if (!row) continue;
        return CardNumber{figure(*row, figure_name).value(), fmt::format("{} of {}, {}", figure_name, key, experiment), &device,
                          run_of(device, *row)};
      }
    }
    return std::nullopt;
  });
}

}  // namespace percycle
