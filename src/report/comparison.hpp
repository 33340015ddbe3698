#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limits/limits.hpp"
#include "limits/normalize.hpp"
#include "stats/change.hpp"
#include "store/load.hpp"
#include "store/runs.hpp"

namespace percycle {

/// A quantity that is compared.
struct Metric {
  std::string name;  ///< of the statistic
  bool higher_is_better = false;
};

/// What a side answers to one question: an experiment and its parameters without those of the configuration and of the kernel's mode (`subgroup_size`,
/// `wgp_mode`).
struct SideAnswer {
  const PointResult* result = nullptr;  ///< the last run's best
  const Header* header = nullptr;       ///< of that run
  Metric metric;
  RunSamples runs;                    ///< of the metric; empty for a published figure
  double value = 0;                   ///< the median of the runs' medians, or what is published
  NormalizedBandwidth against_limit;  ///< of a bandwidth
};

/// All runs on one device through one API in one state, or what one document says of one device.
struct Side {
  std::string name;                ///< "A", "B", ... in the order of the files
  const Header* header = nullptr;  ///< of its first run
  std::vector<Run> runs;
  std::vector<std::string> files;             ///< that they are from, each once
  std::map<std::string, SideAnswer> answers;  ///< to each question that ended ok, by its text
  std::map<std::string, std::string> not_ok;  ///< how the others ended, by question
};

enum class ChangeVerdict { better, worse, noise };

/// "better", "worse", "noise".
std::string_view to_string(ChangeVerdict verdict);

/// One metric of one question on two sides.
struct ChangeRow {
  Point question;
  const SideAnswer* before = nullptr;
  const SideAnswer* after = nullptr;
  Change change;
  ChangeVerdict verdict = ChangeVerdict::noise;

  double percent() const { return 100 * (change.ratio - 1); }
};

/// Two sides of the same silicon. Rows in the order of their questions.
struct SidePair {
  enum class Relation {
    states,  ///< one device through one API: another driver, or the same at another time
    apis,    ///< one card through OpenCL and through Vulkan
  };

  Relation relation = Relation::states;
  std::size_t before = 0;  ///< the side's place
  std::size_t after = 0;
  std::map<std::string, ChangeRow> rows;  ///< by question
  std::vector<std::string>
      missing;  ///< questions that only `before` answers, with how they ended on the other side where they were asked
  std::vector<std::string> added;  ///< that only `after` answers
};

/// One question that more than one side answers: nullptr where a side does not.
struct TableRow {
  Point question;
  std::vector<const SideAnswer*> answers;  ///< by side
  std::vector<bool> is_wider;              ///< whether the side's document names fewer parameters than the question has
};

/// Record files beside each other. Points into the files, which must outlive it.
struct RunComparison {
  std::vector<Side> sides;
  std::vector<SidePair> pairs;
  std::map<std::string, std::vector<TableRow>> tables;  ///< by experiment; empty where all sides are one device
};

/// Changes of up to so many percent are noise, whatever their interval says. One run's samples do not tell how far two runs lie apart: of two runs of
/// an unchanged H200 99 of 100 points are within 1.1 % in time and 4.5 % in rate (docs/commands.md, compare). So a side of fewer than kEnoughRuns runs has to
/// show more than one of enough.
inline constexpr std::size_t kEnoughRuns = 3;
inline constexpr double kNoisePercent = 1;
inline constexpr double kFewRunsTimePercent = 2;
inline constexpr double kFewRunsRatePercent = 5;

/// From how many percent on two APIs of a card are said to differ.
inline constexpr double kApiGapPercent = 5;

/// Compares what ended ok. Sides: runs of one device (its identity; of a simulated one its name) through one API with one driver (a simulated device's
/// model); where the driver is the same in several files, each file, unless they have no question in common; of a published figure the document and the
/// device's name. Later sides of the same device and API are held against the first, Vulkan against OpenCL. A change is better or worse where its 95 %
/// interval excludes none and it is large enough (above). Throws UsageError where the same run is given twice, where there is one side only and where no
/// two sides answer the same question.
RunComparison compare(const std::vector<LoadedFile>& files, const LimitsCatalogue& catalogue);

}  // namespace percycle
