#include "html/device_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/figures.hpp"
#include "core/printable.hpp"
#include "core/units.hpp"
#include "presentation/presentation.hpp"
#include "report/hierarchy_text.hpp"
#include "report/spoiling_checks.hpp"

namespace percycle {
namespace {

/// A box of the drawing.
struct Box {
  std::string name;
  std::vector<std::string> words;
};

constexpr std::size_t kLongText = 300;

std::string text_of(std::string_view text) { return printable(text, kLongText); }

/// The highest figure among an experiment's rows with these words.
std::optional<double> highest(const ReportDevice& device, const ReportCharts& charts, const std::string& experiment,
                              const ParameterWords& only, std::string_view name) {
  std::optional<double> most;
  for (const auto& [row_device, rows] : charts.rows(experiment)) {
    if (row_device != &device) continue;
    for (const PointRow* row : rows) {
      if (has_words(*row, only)) most = std::max(most, figure(*row, name));
    }
  }
  return most;
}

/// Bytes per cycle of a unit, else GB/s, of the first experiment with a value at that place. Memory
/// has no cycles of a unit.
std::optional<std::string> bandwidth_words(const ReportDevice& device, const ReportCharts& charts, HierarchyPlace place) {
  for (const std::string& experiment : charts.experiments()) {
    const Presentation& about = presentation_of(experiment);
    if (about.place != place) continue;
    for (const char* name : {figures::kBytesPerUnitCycle, figures::kGbPerS}) {
      if (name == figures::kBytesPerUnitCycle && place == HierarchyPlace::memory) continue;
      if (const auto value = highest(device, charts, experiment, about.place_only, name))
        return with_unit(*value, name, {.unit = device.unit_name});
    }
  }
  return std::nullopt;
}

/// "278.4 cycles (141.0 ns)".
std::string both_latencies(const std::optional<double>& cycles, double ns) {
  return latency_words(cycles, ns) + (cycles ? fmt::format(" ({})", latency_words({}, ns)) : "");
}

/// Size and latency.
std::vector<std::string> level_words(const HierarchyLevel& level) {
  return {doubt_words(level.confidence) + size_words(level),
          doubt_words(level.latency_confidence) + both_latencies(level.latency_cycles, level.latency_ns)};
}

std::string memory_words(const HierarchyMemory& memory) {
  return doubt_words(memory.confidence) + both_latencies(memory.stated_cycles(), memory.stated_ns());
}

/// The rates of the execution units.
std::vector<std::string> execution_words(const ReportDevice& device, const ReportCharts& charts) {
  std::vector<std::string> words;
  for (const std::string& experiment : charts.experiments()) {
    for (const SummaryFigure& each : presentation_of(experiment).summary) {
      if (each.line != kExecutionLine) continue;
      if (const auto ops = highest(device, charts, experiment, each.only, figures::kOpsPerUnitCycle))
        words.push_back(each.key + ' ' + with_unit(*ops, figures::kOpsPerUnitCycle, {.unit = device.unit_name}));
    }
  }
  return words;
}

/// The levels of the main path.
std::vector<Box> boxes_of(const ReportDevice& device, const ReportCharts& charts) {
  const auto l1 = bandwidth_words(device, charts, HierarchyPlace::first_cache);
  const auto local = bandwidth_words(device, charts, HierarchyPlace::local_memory);
  const auto shared = bandwidth_words(device, charts, HierarchyPlace::shared_caches);
  const auto memory = bandwidth_words(device, charts, HierarchyPlace::memory);

  std::vector<Box> boxes;
  const Hierarchy* hierarchy = device.analysis ? &device.analysis->hierarchy : nullptr;
  std::string path;
  bool l1_shown = false;
  bool shared_shown = false;
  if (hierarchy && !hierarchy->levels.empty()) {
    path = main_path(*hierarchy);
    for (const HierarchyLevel& level : hierarchy->levels) {
      if (level.path != path) continue;
      Box box{level.name, level_words(level)};
      if (level.line_bytes) box.words.push_back(doubt_words(level.line_confidence) + format_bytes(*level.line_bytes) + " lines");
      if (l1 && boxes.empty()) {
        box.words.push_back(*l1);
        l1_shown = true;
      } else if (shared && !boxes.empty() && !shared_shown) {
        box.words.push_back(*shared);
        shared_shown = true;
      }
      boxes.push_back(std::move(box));
    }
  }
  if (l1 && !l1_shown) boxes.insert(boxes.begin(), Box{"first cache", {*l1}});
  if (shared && !shared_shown) boxes.push_back({"shared caches", {*shared}});
  Box behind{"memory", {}};
  if (device.source == Source::measured && device.header().device.memory_bytes)
    behind.words.push_back(format_bytes(*device.header().device.memory_bytes));
  if (hierarchy && !path.empty()) {
    for (const HierarchyMemory& one : hierarchy->memory) {
      if (one.path == path && one.reached) behind.words.push_back(memory_words(one));
    }
  }
  if (memory) behind.words.push_back(*memory);
  const bool worth_drawing = !boxes.empty() || memory;
  if (worth_drawing) boxes.push_back(std::move(behind));
  std::vector<std::string> local_words;
  if (hierarchy) {
    for (const HierarchyMemory& one : hierarchy->memory) {
      if (one.path == "local") local_words.push_back(memory_words(one));
    }
  }
  if (local) local_words.push_back(*local);
  if (!local_words.empty()) boxes.insert(boxes.begin(), Box{"local memory", local_words});
  const std::vector<std::string> execution = execution_words(device, charts);
  if (!execution.empty()) boxes.insert(boxes.begin(), Box{"execution units", execution});
  return boxes;
}

/// The caches of instructions, as the first scope that was measured sees them, and their owners.
std::vector<Box> instruction_boxes(const InstructionCaches& caches, const InstructionSharingReading& sharing) {
  std::vector<Box> boxes;
  const auto cycles = [](double value) { return in_unit(value, 2, unit_text::kCyclesPerInstruction); };
  double beyond = 0;
  for (const InstructionCacheLevel& level : caches.levels) {
    if (level.scope != caches.levels.front().scope) continue;
    boxes.push_back({fmt::format("instruction cache {}", boxes.size() + 1),
                     {doubt_words(level.confidence) + format_bytes(level.size_bytes), cycles(level.cycles_per_instruction)}});
    for (const InstructionCacheOwner& owner : sharing.owners) {
      if (owner.level == boxes.size() && owner.confidence >= kStatedConfidence)
        boxes.back().words.push_back("shared by " + owner.owner_words());
    }
    for (const ConstantsBesideCode& constants : sharing.constants) {
      if (constants.level == boxes.size() && constants.confidence >= kStatedConfidence)
        boxes.back().words.emplace_back("constants live in it");
    }
    beyond = level.beyond;
  }
  if (!boxes.empty()) boxes.push_back({"behind them", {cycles(beyond)}});
  return boxes;
}

/// The levels of constants, with the cost of further words where chains of their size were walked.
std::vector<Box> constant_boxes(const Hierarchy& hierarchy) {
  std::vector<Box> boxes;
  std::uint64_t inner = 0;
  for (const HierarchyLevel& level : hierarchy.levels) {
    if (level.path != "constant") continue;
    Box box{level.name, level_words(level)};
    for (const ConstantWords& words : hierarchy.constant_words) {
      if (words.bytes > inner && words.bytes <= level.size_bytes)
        box.words.push_back(in_unit(words.each_further, 1, words.in_cycles ? unit_text::kCycles : unit_text::kNs) +
                            " for each further word");
    }
    inner = level.size_bytes;
    boxes.push_back(std::move(box));
  }
  for (const HierarchyMemory& one : hierarchy.memory) {
    if (one.path == "constant" && one.reached && !boxes.empty()) boxes.push_back({"behind them", {memory_words(one)}});
  }
  return boxes;
}

/// Boxes one below the other, wider from one to the next.
nlohmann::json drawing_of(const std::vector<Box>& boxes) {
  nlohmann::json levels = nlohmann::json::array();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double share = boxes.size() == 1 ? 1 : 0.4 + 0.6 * static_cast<double>(i) / static_cast<double>(boxes.size() - 1);
    levels.push_back({{"name", boxes[i].name}, {"words", boxes[i].words}, {"share", share}});
  }
  return levels;
}

/// The drawings next to the data caches: instructions and constants.
nlohmann::json other_paths(const ReportDevice& device) {
  nlohmann::json paths = nlohmann::json::array();
  if (!device.analysis) return paths;
  const Hierarchy& hierarchy = device.analysis->hierarchy;
  const auto add = [&](const char* name, const std::vector<Box>& boxes) {
    if (!boxes.empty()) paths.push_back({{"name", name}, {"levels", drawing_of(boxes)}});
  };
  add("Caches of instructions, nearest first", instruction_boxes(hierarchy.instruction_caches, hierarchy.instruction_sharing));
  add("Caches of constants, nearest first", constant_boxes(hierarchy));
  return paths;
}

std::string identity_of(const ReportDevice& device) {
  const Header& header = device.header();
  if (device.source == Source::published) {
    const Publication& from = header.publication.value();
    std::vector<std::string> places;
    for (const ReportRun& run : device.runs) {
      std::string place = text_of(run.header.publication->place);
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
    }
    return fmt::format("{}: published in {}, {} ({}). Not measured by percycle.", text_of(header.device.vendor),
                       text_of(from.document), fmt::join(places, ", "), from.year);
  }
  std::string text = device.source == Source::simulated ? "A model, not silicon. " : "";
  text += fmt::format("{}, driver {}, {} {}.", text_of(header.device.vendor), text_of(header.device.driver),
                      api_words(header.device.api), text_of(header.device.api_version));
  if (!header.architecture.empty()) text += fmt::format(" {}.", text_of(header.architecture));
  if (header.device.units)
    text +=
        fmt::format(" {} x {} ({}).", header.device.units->value, device.unit_name, to_string(header.device.units->provenance));
  text += fmt::format(" {}.", text_of(header.os));
  for (const auto& [name, why] : spoiling_checks(header)) text += fmt::format(" Doubtful {}: {}.", name, text_of(why));
  return text;
}

/// The page hides and shows devices by these.
std::string group_of(const ReportDevice& device) {
  if (device.source != Source::measured) return std::string(to_string(device.source));
  return device.header().device.api == Api::vulkan ? "Vulkan" : "OpenCL";
}

/// "2 runs, first ..., last .... Points: ..."; for a document its measuring method.
std::string runs_of(const ReportDevice& device) {
  if (device.source == Source::published) return text_of(device.header().publication->method);
  return fmt::format("{} {}, first {}, last {}. Points: {}.", device.runs.size(), device.runs.size() == 1 ? "run" : "runs",
                     text_of(device.runs.front().header.created), text_of(device.runs.back().header.created),
                     to_string(device.tally));
}

}  // namespace

nlohmann::json device_summary(const ReportDevice& device, const ReportCharts& charts) {
  nlohmann::json summary = {{"slug", device.slug},
                            {"label", device.label},
                            {"source", to_string(device.source)},
                            {"group", group_of(device)},
                            {"identity", identity_of(device)},
                            {"runs", runs_of(device)},
                            {"levels", drawing_of(boxes_of(device, charts))},
                            {"paths", other_paths(device)}};
  const std::string sentence = device.analysis ? hierarchy_sentence(device.analysis->hierarchy) : "";
  if (!sentence.empty()) summary["hierarchy"] = sentence + '.';
  return summary;
}

}  // namespace percycle
