#include "report/hierarchy_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/seen_level.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"

namespace percycle {

std::string size_words(const HierarchyLevel& level) {
  if (is_vague(level)) return fmt::format("{} to {}", format_bytes(level.size_low), format_bytes(level.size_high));
  return format_bytes(level.size_bytes);
}

std::string main_path(const Hierarchy& hierarchy) {
  std::string path;
  for (const HierarchyLevel& level : hierarchy.levels) {
    if (level.path == kClosestPath) return level.path;
    if (path.empty() && level.path != kConstantPath) path = level.path;
  }
  return path;
}

const char* doubt_words(double confidence) { return confidence < kStatedConfidence ? "perhaps " : ""; }

namespace {

/// A figure of a level in words.
struct FigureWords {
  std::string words;
  double confidence = 0;
};

/// Size, line, ways and latency, as far as they are known.
std::vector<FigureWords> figures_of(const HierarchyLevel& level) {
  std::vector<FigureWords> figures{{size_words(level), level.confidence}};
  if (level.line_bytes) figures.push_back({format_bytes(*level.line_bytes) + " lines", level.line_confidence});
  if (level.ways) {
    figures.push_back({level.sets == 1u ? "fully associative" : fmt::format("{}-way", *level.ways), level.ways_confidence});
  }
  figures.push_back({latency_words(level.latency_cycles, level.latency_ns), level.latency_confidence});
  return figures;
}

/// A sentence of findings. Figures below kStatedConfidence follow "perhaps"; the lowest confidence
/// of the others ends the sentence.
class Sentence {
 public:
  void add(const std::string& text, double confidence) {
    add_certain(doubt_words(confidence) + text);
    count(confidence);
  }
  void add_certain(const std::string& text) { text_ += (text_.empty() ? "" : "; ") + text; }
  /// A level without a certain figure has one "perhaps" in front of all.
  void add(const HierarchyLevel& level, const std::string& after = {}) {
    const auto figures = figures_of(level);
    const bool any_stated =
        std::any_of(figures.begin(), figures.end(), [](const auto& figure) { return figure.confidence >= kStatedConfidence; });
    std::string text = any_stated ? level.name : "perhaps " + level.name;
    const char* separator = " ";
    for (const auto& [words, confidence] : figures) {
      text += separator + (any_stated ? doubt_words(confidence) + words : words);
      separator = ", ";
      count(confidence);
    }
    add_certain(text + after);
  }
  /// Whether a figure since the last call follows "perhaps".
  bool take_doubtful() { return std::exchange(doubtful_, false); }
  /// Confidence is rounded down: it is a floor.
  std::string text() const {
    if (!least_) return text_;
    return fmt::format("{} ({}confidence {:.2f} or more)", text_, any_doubt_ ? "the rest: " : "",
                       std::floor(100 * *least_) / 100);
  }

 private:
  void count(double confidence) {
    if (confidence >= kStatedConfidence) {
      least_ = std::min(least_.value_or(1), confidence);
    } else {
      doubtful_ = any_doubt_ = true;
    }
  }

  std::string text_;
  std::optional<double> least_;
  bool doubtful_ = false;   ///< since the last take_doubtful()
  bool any_doubt_ = false;  ///< a figure follows "perhaps"
};

/// The path of the sentence: the global one if it has a level, else the first of those that show
/// the most levels, caches of constants last.
std::string stated_path(const Hierarchy& hierarchy) {
  const auto& levels = hierarchy.levels;
  const auto rank = [&](const HierarchyLevel& level) {
    const auto on_same_path = [&](const auto& other) { return other.path == level.path; };
    return std::tuple(level.path == kClosestPath, level.path != kConstantPath,
                      std::count_if(levels.begin(), levels.end(), on_same_path));
  };
  return std::max_element(levels.begin(), levels.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); })->path;
}

/// The L1 that another path shows if this path's levels begin with an L2; else nullptr.
const HierarchyLevel* bypassed_l1(const Hierarchy& hierarchy, const std::string& path) {
  const auto& levels = hierarchy.levels;
  const auto first = std::find_if(levels.begin(), levels.end(), [&](const auto& level) { return level.path == path; });
  if (first == levels.end() || !first->name.starts_with("L2")) return nullptr;
  const auto l1 = std::find_if(levels.begin(), levels.end(), [](const auto& level) { return level.name == "L1"; });
  return l1 == levels.end() ? nullptr : &*l1;
}

}  // namespace

std::string hierarchy_sentence(const Hierarchy& hierarchy) {
  if (hierarchy.levels.empty()) return "";
  const std::string path = stated_path(hierarchy);
  // A program may hold few constants, so their walk ends in a cache.
  const std::string behind = path == kConstantPath ? "constants behind it " : "memory ";
  Sentence sentence;
  if (const auto* l1 = bypassed_l1(hierarchy, path)) sentence.add(*l1, fmt::format(" ({})", l1->path));
  for (const auto& level : hierarchy.levels) {
    if (level.path == path) sentence.add(level);
  }
  for (const auto& memory : hierarchy.memory) {
    if (memory.path != path) continue;
    if (memory.reached) {
      sentence.add(behind + latency_words(memory.stated_cycles(), memory.stated_ns()), memory.confidence);
    } else {
      sentence.add_certain(behind + "not reached");
    }
  }
  if (!hierarchy.tlbs.empty()) {
    const auto& first = hierarchy.tlbs.front();
    sentence.add("first TLB reach " + format_bytes(first.reach_bytes), first.confidence);
  }
  std::string settling = sentence.take_doubtful() ? hierarchy.next_run : "";
  for (const auto& owner : hierarchy.instruction_sharing.owners) {
    sentence.add(
        fmt::format("instruction cache {} of {} shared by {}", owner.level, format_bytes(owner.size_bytes), owner.owner_words()),
        owner.confidence);
  }
  for (const auto& found : hierarchy.instruction_sharing.constants) {
    if (found.level) sentence.add(fmt::format("constants live in instruction cache {}", *found.level), found.confidence);
  }
  if (sentence.take_doubtful()) settling = "instruction-cache instruction-sharing" + (settling.empty() ? "" : ' ' + settling);
  return settling.empty() ? sentence.text() : fmt::format("{}; `percycle run {}` settles \"perhaps\"", sentence.text(), settling);
}

}  // namespace percycle
