#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip_map.hpp"
#include "analysis/hierarchy.hpp"
#include "core/figures.hpp"
#include "core/words.hpp"
#include "limits/limits.hpp"
#include "limits/normalize.hpp"
#include "report/key_figures.hpp"
#include "stats/change.hpp"
#include "store/load.hpp"
#include "store/runs.hpp"

namespace percycle {

/// Parameters of the kernel's mode, which are no part of a question.
inline constexpr std::array kModes{"subgroup_size", "wgp_mode"};

/// The point without parameters of the configuration and of the kernel's mode.
Point question_without_mode(const Point& point);

/// The question that a run's or a document's point answers. A document states each mode on its own.
Point question_of(const Point& point, const Header& header);

/// A side's answer to one question.
struct SideAnswer {
  const PointResult* result = nullptr;  ///< the last run's best
  const Header* header = nullptr;       ///< that run's
  Figure metric{};                      ///< its main figure
  RunSamples runs;                      ///< samples of the metric; empty for a published figure
  double value = 0;                     ///< the median of the runs' medians, or the published value
  NormalizedBandwidth against_limit;    ///< for a bandwidth
};

/// All runs on one device through one API in one state, or one document's figures for one device.
struct Side {
  std::string name;                ///< "A", "B", ... in the order of the files
  const Header* header = nullptr;  ///< its first run's
  std::vector<Run> runs;
  std::vector<std::string> files;             ///< each once
  std::map<std::string, SideAnswer> answers;  ///< by the text of the question; ok points only
  std::map<std::string, std::string> not_ok;  ///< outcomes of the others, by question
  Hierarchy hierarchy;                        ///< empty for a document
};

enum class ChangeVerdict {
  better,
  worse,
  noise,
  edge,  ///< near a cache's edge: a shift of the edge explains it
};

/// "better", "worse", "noise", "edge".
std::string_view to_string(ChangeVerdict verdict);

std::span<const Word<ChangeVerdict>> words(ChangeVerdict);

/// One metric of one question on two sides.
struct ChangeRow {
  Point question;
  const SideAnswer* before = nullptr;
  const SideAnswer* after = nullptr;
  Change change;
  ChangeVerdict verdict = ChangeVerdict::noise;

  double percent() const { return 100 * (change.ratio - 1); }
  /// The number of runs of the side with fewer.
  std::size_t fewest_runs() const;
};

/// A value of a finding that both sides have.
struct FindingChange {
  std::string kind;              ///< title of its table
  std::vector<std::string> row;  ///< words that name the finding; path and name of a cache's level
  std::string column;
  double before = 0;
  double after = 0;
  bool is_bytes = false;
  ChangeVerdict verdict = ChangeVerdict::noise;
  bool is_doubtful = false;  ///< a finding is below kStatedConfidence, and the verdict is noise

  double percent() const { return 100 * (after / before - 1); }
  /// A word of the row; empty in the empty change of a schema.
  std::string word(std::size_t place) const { return place < row.size() ? row[place] : ""; }
};

/// Two sides of the same silicon. Rows in the order of their questions.
struct SidePair {
  enum class Relation {
    states,  ///< one device through one API: with another driver, or later
    apis,    ///< one card through OpenCL and through Vulkan
  };

  Relation relation = Relation::states;
  std::size_t before = 0;  ///< index of the side
  std::size_t after = 0;
  std::map<std::string, ChangeRow> rows;  ///< by question
  std::vector<FindingChange> sizes;       ///< of caches, path by path
  std::vector<FindingChange> findings;    ///< all others
  /// Questions that only `before` answers, with their outcome on the other side, if any.
  std::vector<std::string> missing;
  std::vector<std::string> added;  ///< that only `after` answers

  /// The number of rows with this verdict.
  std::size_t count(ChangeVerdict verdict) const;
};

std::span<const Word<SidePair::Relation>> words(SidePair::Relation);

/// The maps of the chip that two sides found by one kind of access.
struct MapChange {
  std::size_t before = 0;  ///< index of the side
  std::size_t after = 0;
  std::string access;
  MapAgreement agreement;
};

/// One question with answers from several sides: nullptr for a side without one.
struct TableRow {
  Point question;
  std::vector<const SideAnswer*> answers;  ///< by side
  /// Whether the side's document names fewer parameters than the question has.
  std::vector<bool> is_wider;
};

/// A comparison of record files. Points into the files, which must outlive it.
struct RunComparison {
  std::vector<Side> sides;
  std::vector<SidePair> pairs;
  std::vector<MapChange> maps;  ///< of all sides with one, two by two
  /// By experiment; empty if all sides are one device.
  std::map<std::string, std::vector<TableRow>> tables;
};

/// Changes up to this percentage are noise, for any interval.
inline constexpr double kNoisePercent = 1;
/// The samples of so many runs per side show the spread between runs. The interval of fewer
/// includes run_spread_percent.
inline constexpr std::size_t kEnoughRuns = 3;

/// How much of a comparison is wanted.
enum class ComparisonDepth {
  key_figures,  ///< sides, and pairs of one device through one API
  all,
};

/// Compares ok points between sides. A side has the runs of one device (by its identity; a
/// simulated or published one by its name) through one API with one driver, which for a simulated
/// device is its model. If the driver is the same in several files, each file is a side, unless the
/// files have no point in common. Later sides of the same device and API are compared with the
/// first, Vulkan with OpenCL. A change is better or worse if its 95 % interval excludes none, it is
/// above kNoisePercent and no shift of a cache's edge explains it. Throws UsageError for a
/// repeated run, a single side, or no common question.
RunComparison compare(const std::vector<LoadedFile>& files, const LimitsCatalogue& catalogue,
                      ComparisonDepth depth = ComparisonDepth::all);

/// Leaves the points of these experiments alone.
void keep_experiments(RunComparison& comparison, const std::vector<std::string>& names);

}  // namespace percycle
