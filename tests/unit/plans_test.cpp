#include <doctest/doctest.h>

#include "experiments/common/prerequisite.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "point_examples.hpp"

namespace percycle::plans_test {
namespace {

std::vector<Point> planned(const Experiment* experiment, Preset preset, std::span<const PointResult> done) {
  return experiment->plan(fake::gpu(), make_options({&experiment, 1}, {}, preset, 1).front(), done);
}

TEST_CASE("plans: points of another experiment change no plan, and a plan keeps its own measured points") {
  const std::vector<PointResult> of_another{examples::measured("another", {{"line", 3}, {"lanes", 1}, {"footprint", 4096}}, 10)};
  CHECK(all_experiments().size() >= 14);
  for (const auto* experiment : all_experiments()) {
    for (const Preset preset : {Preset::quick, Preset::standard, Preset::full}) {
      CAPTURE(experiment->name());
      CAPTURE(to_string(preset));
      const auto first = planned(experiment, preset, {});
      CHECK_FALSE(first.empty());
      CHECK(planned(experiment, preset, of_another) == first);

      // One point is done: all others of the first generation remain.
      const std::vector<PointResult> one{{first.front(), {Status::failed, "whatever"}, std::nullopt}};
      CHECK(still_open(planned(experiment, preset, one), one).size() >= first.size() - 1);
    }
  }
}

}  // namespace
}  // namespace percycle::plans_test
