#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/along.hpp"
#include "limits/limit.hpp"

namespace percycle {

/// Parameters, each with the word that it must be.
using ParameterWords = std::vector<std::pair<std::string, std::string>>;

/// A chart of lines over one parameter.
struct CurveChart {
  std::string name;       ///< of its file
  std::string title;      ///< stands before the values that all its points share
  ParameterWords only{};  ///< which points it draws
  std::string x;          ///< a parameter
  std::string x_title;
  Along x_along = Along::doubled;
  std::vector<std::string> y;  ///< figures: it draws the first that any of its points has
  Along y_along = Along::linear;
  std::vector<std::string> split{};    ///< parameters: there is a chart for each of their values
  std::vector<std::string> follows{};  ///< parameters that follow from x
  bool level_edges = false;            ///< marks the ends of the cache levels of the path, which is the first of `split`
};

/// A chart of bars, one for each question.
struct BarChart {
  /// Figures: it draws the first that any of its points has.
  std::vector<std::string> y{"gb_per_s", "gops_per_s", "net_cycles_per_op", "cycles_per_op", "ns_per_op"};
  std::vector<std::string> split{};  ///< parameters: there is a chart for each of their values
  std::string without{};             ///< a parameter: points that have it are not drawn
};

/// A heatmap of each device over two parameters that number units.
struct PairChart {
  std::string name;
  std::string title;
  std::string first;
  std::string second;
  std::string figure;
};

/// A limit that bounds points of an experiment.
struct LimitRule {
  ParameterWords only{};  ///< which points
  Quantity quantity = Quantity::load;
  std::string texel_bytes{};  ///< the parameter that is the size of a texel; points without it have no limit by this rule
};

/// Where the highest bandwidth of an experiment stands in the drawing of a device's memory hierarchy.
enum class HierarchyPlace { none, local_memory, first_cache, shared_caches, memory };

/// A document's words for points that it measured another way: in charts such a point stands beside the measured ones.
struct PublishedPlace {
  ParameterWords published;  ///< all parameters of its point
  ParameterWords measured;   ///< of the points that it stands beside
};

/// A figure in the summary at the end of a run. Of the rows that count, one is shown.
struct SummaryFigure {
  enum class Pick { highest, lowest, median };

  std::string line;                                    ///< that it stands in: "bandwidth"
  std::string name;                                    ///< "L1"
  ParameterWords only{};                               ///< which points count
  std::map<std::string, std::int64_t> only_numbers{};  ///< likewise
  std::string figure;                                  ///< "gb_per_s"
  Pick pick = Pick::highest;
};

/// All that is known of an experiment besides how to run it. Tables, charts and reports ask for it here and name no experiment.
struct Presentation {
  std::string title;             ///< of its section in a report: "Load-to-use latency"
  std::string question;          ///< that it answers
  std::string method;            ///< two to five sentences on how it measures
  std::string metric{};          ///< what one number of it means: "load-to-use latency: ns and cycles per load"
  std::string operation = "op";  ///< the word for one operation: "load"
  int order = kLast;             ///< of its section in a report, ascending

  std::vector<std::string> configuration{};  ///< parameters that shape the dispatch and change nothing of the question
  std::vector<std::string> sizes{};          ///< parameters that change no program
  bool shows_range = false;                  ///< tables for people have the least and the most of the samples
  bool as_map = false;                       ///< `show` sums its points up: too many pairs of units for a table

  std::vector<LimitRule> limits{};
  bool takes_all_units = false;      ///< its many small work-groups spread over all units, though they note none
  ParameterWords below_full_rate{};  ///< points with one of these words show how a rate grows; no efficiency is theirs

  std::vector<CurveChart> curves{};
  std::vector<BarChart> bars{};  ///< where nothing else is drawn, there is one of all points
  std::vector<PairChart> pairs{};
  std::vector<PublishedPlace> published{};

  HierarchyPlace place = HierarchyPlace::none;
  ParameterWords place_only{};  ///< which points count there

  std::vector<SummaryFigure> summary{};  ///< what it adds to the summary at the end of a run

  static constexpr int kLast = 1000;
};

/// What the experiment registered; of one that this version does not know, a presentation that says so.
const Presentation& presentation_of(std::string_view experiment);

/// Its title, else its name.
std::string_view title_of(std::string_view experiment);

/// Registers a presentation for the life of the program. Experiments do so as they register; one that is known from published figures only has just this:
/// `const RegisterPresentation registered("NAME", {...});` at namespace scope.
class RegisterPresentation {
 public:
  RegisterPresentation(std::string experiment, Presentation presentation);
};

}  // namespace percycle
