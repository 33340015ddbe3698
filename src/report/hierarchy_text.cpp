#include "report/hierarchy_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "analysis/seen_level.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"

namespace percycle {

std::string size_words(const HierarchyLevel& level) {
  if (is_vague(level)) return fmt::format("{} to {}", format_bytes(level.size_low), format_bytes(level.size_high));
  return format_bytes(level.size_bytes);
}

const char* doubt_words(double confidence) { return confidence < kStatedConfidence ? "perhaps " : ""; }

namespace {

/// ", 128 B lines, 4-way"; "" if neither is known.
std::string geometry_words(const HierarchyLevel& level) {
  std::string words = level.line_bytes ? fmt::format(", {} lines", format_bytes(*level.line_bytes)) : "";
  if (level.ways) words += level.sets == 1u ? ", fully associative" : fmt::format(", {}-way", *level.ways);
  if (words.empty() || !is_geometry_doubtful(level)) return words;
  return ", perhaps " + words.substr(2);
}

/// Doubtful lines and ways come last, so that "perhaps" is about them alone.
std::string level_words(const HierarchyLevel& level) {
  const std::string latency = ", " + latency_words(level.latency_cycles, level.latency_ns);
  const std::string geometry = geometry_words(level);
  return fmt::format("{} {}{}", level.name, size_words(level),
                     is_geometry_doubtful(level) ? latency + geometry : geometry + latency);
}

/// A sentence of findings. Those below kStatedConfidence follow "perhaps"; the lowest confidence of
/// the others ends the sentence.
class Sentence {
 public:
  void add(const std::string& text, double confidence) {
    add_certain(doubt_words(confidence) + text);
    if (confidence >= kStatedConfidence) least_ = std::min(least_.value_or(1), confidence);
  }
  void add_certain(const std::string& text) { text_ += (text_.empty() ? "" : "; ") + text; }
  /// Confidence is rounded down: it is a floor.
  std::string text() const {
    return least_ ? fmt::format("{} (confidence {:.2f} or more)", text_, std::floor(100 * *least_) / 100) : text_;
  }

 private:
  std::string text_;
  std::optional<double> least_;
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
  if (const auto* l1 = bypassed_l1(hierarchy, path))
    sentence.add(fmt::format("{} ({})", level_words(*l1), l1->path), l1->confidence);
  for (const auto& level : hierarchy.levels) {
    if (level.path == path) sentence.add(level_words(level), level.confidence);
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
  for (const auto& owner : hierarchy.instruction_sharing.owners) {
    sentence.add(
        fmt::format("instruction cache {} of {} shared by {}", owner.level, format_bytes(owner.size_bytes), owner.owner_words()),
        owner.confidence);
  }
  for (const auto& found : hierarchy.instruction_sharing.constants) {
    if (found.level) sentence.add(fmt::format("constants live in instruction cache {}", *found.level), found.confidence);
  }
  return sentence.text();
}

}  // namespace percycle
