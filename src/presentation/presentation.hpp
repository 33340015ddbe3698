#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/axis_scale.hpp"
#include "core/figures.hpp"
#include "limits/limit.hpp"

namespace percycle {

/// Parameters, each with its required word.
using ParameterWords = std::vector<std::pair<std::string, std::string>>;

/// The words of charts for a value of a parameter.
struct ValueWords {
  std::string parameter;
  std::string value;  ///< empty: any
  std::string words;  ///< "{}" stands for the value; empty: charts leave the parameter out
};

/// A chart of lines over one parameter or figure, or over time.
struct CurveChart {
  std::string name{};     ///< file name
  std::string title{};    ///< begins the title; the values of `split` follow
  ParameterWords only{};  ///< points to draw
  /// Leaves out published points that do not name the parameters of `only`.
  bool only_named = false;
  std::vector<std::string> without{};  ///< parameters: points that have one of them are left out
  std::string x{};                     ///< a parameter or a figure
  std::string x_title{};
  AxisScale x_scale = AxisScale::doubled;
  std::vector<std::string> y{};  ///< figures: the first that any point has is drawn
  std::string y_title{};         ///< if y names no figures
  AxisScale y_scale = AxisScale::linear;
  std::vector<std::string> split{};    ///< parameters: each of their values gets its own chart
  std::string first{};                 ///< the chart of this value comes first
  bool per_device = false;             ///< each device gets its own chart
  std::vector<std::string> follows{};  ///< parameters that are determined by x
  /// One of `follows`: of several points of a line at one x, the chart draws that with the value
  /// which most points of the line have.
  std::string usual{};
  /// One of `follows`, a size that x rounds: each size at the lowest x is a line, with the points
  /// of the nearest sizes.
  std::string rounded{};
  /// Marks the ends of the cache levels of the path, which is the first of `split`.
  bool level_edges = false;
  bool after_bars = false;  ///< stands behind the charts of bars
  bool over_time = false;   ///< a linear x begins at 0, and a linear y does not
  bool lines = true;        ///< between the points
};

/// A chart of bars, one per question.
struct BarChart {
  std::string name{};   ///< part of the file name, if the experiment has several
  std::string title{};  ///< begins the title; empty: the experiment's title
  /// Figures: the first that any point has is drawn.
  std::vector<std::string> y{figures::kInCharts.begin(), figures::kInCharts.end()};
  std::vector<std::string> split{};    ///< parameters: each of their values gets its own chart
  std::vector<std::string> without{};  ///< parameters: points that have one of them are left out
  /// A parameter of `split`: values that a measured device has beside each other are bars of one
  /// question instead.
  std::string pair{};
};

/// A figure that splits the pairs of a map in two: up to `most`, and above.
struct PairSplit {
  std::string figure;
  double most = 0;
  std::string below;  ///< words for both parts: "in step"
  std::string above;
};

/// A heat map and a histogram per device over pairs of units; `show` summarises the first of an
/// experiment.
struct PairChart {
  std::string name;
  std::string title;
  std::string first;  ///< parameters that number the units of a pair
  std::string second;
  std::string figure;  ///< a time in ns
  PairSplit split{};   ///< without a figure, `show` does not split the pairs
};

/// A table of colours per device and question: a figure over two whole-number parameters, with the
/// points of a search.
struct GridChart {
  std::string name;
  std::string title;
  std::string x;
  std::string x_title;
  std::string y;
  std::string y_title;
  std::vector<std::string> figures;  ///< the first that any point of a device has is drawn
  bool symmetric = false;            ///< x and y may be exchanged
};

/// A chart per device over the position of each operation of a dispatch, with a line per point.
struct PositionChart {
  std::string name;
  std::string title;
  ParameterWords only{};      ///< points to draw
  std::string line{};         ///< a parameter: each of its values is a line
  std::string series{};       ///< of the points: a value of each operation
  std::string value_title{};  ///< unit of the values
  std::string remark{};       ///< a sentence below it
};

/// A limit that bounds points of an experiment.
struct LimitRule {
  ParameterWords only{};  ///< points it applies to
  std::string without{};  ///< a parameter: it does not apply to points that have it
  Quantity quantity = Quantity::load;
  /// The parameter with the size of a texel; points without it have no limit by this rule.
  std::string texel_bytes{};
  /// Parameters with the requested bytes and the moved bytes of a row of lanes: the limit is
  /// multiplied by their ratio. Empty: the same bytes.
  std::pair<std::string, std::string> moved{};
  double ops_per_result = 1;  ///< two, if a multiply-add counts as two operations
};

/// The map that an experiment's points make, if `show` summarises it: of pairs of subgroups, or of
/// units and lines. Pairs of units have a `PairChart`.
enum class PairMap { none, subgroups, lines };

/// The place of an experiment's highest bandwidth in the drawing of a device's memory hierarchy.
enum class HierarchyPlace { none, local_memory, first_cache, shared_caches, memory };

/// The words of a document for points that it measured another way. Charts draw the point beside
/// the measured points.
struct PublishedPlace {
  ParameterWords published;  ///< all parameters of the published point
  ParameterWords measured;   ///< parameters of the points beside it, which it gets
};

/// The line of a summary with rates of the execution units.
inline constexpr const char* kExecutionLine = "arithmetic";

/// A figure in the summary at the end of a run. Shows one of the matching rows.
struct SummaryFigure {
  enum class Pick { highest, lowest, median };

  std::string line;                                    ///< its kind: "bandwidth"
  ParameterWords only{};                               ///< points that count
  std::map<std::string, std::int64_t> only_numbers{};  ///< points that count, by numbers
  std::string without{};                               ///< a parameter of points that do not count
  std::string figure;                                  ///< "gb_per_s"
  Pick pick = Pick::highest;
  std::string key;        ///< its row in the table of key figures
  std::string words{};    ///< begins the titles of its charts: "bandwidth of the L1"
  bool per_unit = false;  ///< the next row of that table has the same per unit and cycle
};

/// Points with the ceilings of a device as their highest figures (`percycle ceilings`).
struct CeilingRule {
  std::string level;                  ///< "L1", "arithmetic"
  std::string level_in_one_memory{};  ///< if the device shares the host's memory; empty: the same
  ParameterWords only{};              ///< points it applies to
  std::string without{};              ///< a parameter: it does not apply to points that have it
  std::string roof{};                 ///< the highest of equal names bounds programs
  bool in_chart = true;               ///< the roofline chart draws the roof
  double flops_per_op = 1;            ///< for a roof of operations
};

/// Rates by operational intensity, which a chart shows beside the roofs that bound them.
struct IntensityCurve {
  std::string parameter;      ///< proportional to the intensity; empty: there is no curve
  double flops_per_byte = 1;  ///< where the parameter is 1
  double flops_per_op = 1;
  std::string level{};          ///< a parameter: the source of the operands
  ParameterWords bandwidths{};  ///< its values and their roofs
  std::string rate{};           ///< the roof of the operations
};

/// A curve whose time does not fall below a fixed cost. Tables note the largest point that this
/// cost decides.
struct FixedCostRule {
  ParameterWords only{};  ///< points it applies to
  std::string size{};     ///< the parameter that grows; empty: there is no rule
  std::string each{};     ///< every value of this parameter has a curve of its own
  std::string cost{};     ///< the word for it in the note
};

/// Points of a program, whose rate `percycle ceilings` compares with the roofs of its device.
struct ProgramRule {
  ParameterWords only{};    ///< points it applies to
  std::string bandwidth{};  ///< the roof of its bytes, by reads; empty: they do not count
  std::string copies{};     ///< the roof of copies at that level; empty: none is measured
  std::string rate{};       ///< the roof of its floating-point operations
  double flops_per_op = 1;
  std::vector<std::string> size{};  ///< parameters whose product is the number of its operations
};

/// The description of an experiment. Tables, charts and reports read it and name no experiment
/// themselves.
struct Presentation {
  std::string title;     ///< title of its report section: "Load-to-use latency"
  std::string question;  ///< question the experiment answers
  std::string method;    ///< the measurement in two to five sentences
  /// Meaning of its numbers: "load-to-use latency: ns and cycles per load".
  std::string metric{};
  std::string operation = "op";  ///< the word for one operation: "load"
  int order = kLast;             ///< position of its report section, ascending

  /// Parameters that shape the dispatch and leave the question as it is.
  std::vector<std::string> configuration{};
  std::vector<std::string> sizes{};  ///< parameters that do not affect the program
  bool shows_range = false;          ///< text tables show minimum and maximum of the samples
  PairMap map = PairMap::none;

  std::vector<LimitRule> limits{};
  /// Its many small work-groups spread over all units, though they do not note which. A rate
  /// without bytes is that of the whole device in any case.
  bool takes_all_units = false;
  /// Otherwise the device rests between operations, so its clock may fall and is not compared.
  bool loads_device = true;
  /// Points with one of these words show how a rate grows; they have no efficiency.
  ParameterWords below_full_rate{};

  std::vector<CurveChart> curves{};
  /// Without any chart, all points get one bar chart.
  std::vector<BarChart> bars{};
  std::vector<PairChart> pairs{};
  std::vector<GridChart> grids{};
  std::vector<PositionChart> positions{};
  std::vector<PublishedPlace> published{};
  std::vector<ValueWords> words{};  ///< the first that fits a value holds

  HierarchyPlace place = HierarchyPlace::none;
  ParameterWords place_only{};  ///< points that count there

  bool leads = false;  ///< its first chart stands at the top of a report
  /// Points from which the summary has the memory hierarchy; empty: it needs none of them.
  ParameterWords hierarchy_points{};

  std::vector<SummaryFigure> summary{};  ///< its figures in the summary at the end of a run
  std::vector<SummaryFigure> further{};  ///< key figures that only the charts of all devices show
  /// Figures that only `percycle export` reads, by their keys.
  std::vector<SummaryFigure> exported{};
  std::vector<CeilingRule> ceilings{};  ///< the first rule that fits a point holds
  IntensityCurve intensity{};
  FixedCostRule fixed_cost{};
  std::vector<ProgramRule> programs{};  ///< the first rule that fits a point holds

  static constexpr int kLast = 1000;
};

/// The presentation that the experiment registered. If this version does not know the experiment,
/// the presentation says so.
const Presentation& presentation_of(std::string_view experiment);

/// The title of the experiment; its name if it has no title.
std::string_view title_of(std::string_view experiment);

/// Registers a presentation for the life of the program. Experiments register theirs themselves.
class RegisterPresentation {
 public:
  RegisterPresentation(std::string experiment, Presentation presentation);
};

}  // namespace percycle
