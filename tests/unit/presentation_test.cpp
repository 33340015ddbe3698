#include "presentation/presentation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/configuration.hpp"
#include "experiments/experiment.hpp"
#include "presentation/configuration.hpp"

namespace percycle::presentation_test {
namespace {

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Experiment* experiment : all_experiments()) names.push_back(experiment->name());
  return names;
}

std::ptrdiff_t sentences(const std::string& text) {
  std::ptrdiff_t ends = 0;
  for (std::size_t i = 0; i < text.size(); ++i) ends += text[i] == '.' && (i + 1 == text.size() || text[i + 1] == ' ') ? 1 : 0;
  return ends;
}

TEST_CASE("presentation: every experiment has a question, a method and a place") {
  std::set<int> orders;
  std::set<std::string> charts;
  for (const std::string& name : all_names()) {
    CAPTURE(name);
    const Presentation& about = presentation_of(name);
    CHECK(title_of(name) == about.title);
    CHECK_FALSE(about.title.empty());
    CHECK(about.question.ends_with('?'));
    CHECK(about.method.ends_with('.'));
    CHECK(sentences(about.method) >= 2);
    CHECK(sentences(about.method) <= 5);
    CHECK_FALSE(about.metric.empty());
    CHECK_FALSE(about.operation.empty());
    CHECK(about.order < Presentation::kLast);
    CHECK(orders.insert(about.order).second);
    for (const CurveChart& chart : about.curves) {
      CAPTURE(chart.name);
      CHECK(charts.insert(chart.name).second);
      CHECK_FALSE(chart.x.empty());
      CHECK_FALSE(chart.y.empty());
      CHECK((!chart.level_edges || !chart.split.empty()));
    }
    for (const GridChart& chart : about.grids) {
      CHECK(charts.insert(chart.name).second);
      CHECK_FALSE(chart.figures.empty());
    }
  }
}

TEST_CASE("presentation: an experiment of another version is shown under its name, behind all others") {
  CHECK(title_of("nosuch") == "nosuch");
  CHECK(presentation_of("nosuch").order == Presentation::kLast);
  CHECK(presentation_of("nosuch").method.find("does not know") != std::string::npos);
}

TEST_CASE("presentation: the question of a point is its parameters without configuration") {
  const Parameters question{{"op", "read"}, {"footprint", std::int64_t{4096}}};
  Point point{"dram-bandwidth", question};
  point.parameters["group_size"] = std::int64_t{64};
  point.parameters[kRole] = kBestRole;
  CHECK(question_of(point) == question);
  point.experiment = "latency";
  point.parameters.erase(kRole);
  CHECK(question_of(point) == point.parameters);
}

}  // namespace
}  // namespace percycle::presentation_test
