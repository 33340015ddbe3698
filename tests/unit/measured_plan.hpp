#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/common/prerequisite.hpp"
#include "measure/measurer.hpp"
#include "sim/sim.hpp"

namespace percycle::sim {

/// Everything that an experiment plans on a simulated device, measured generation by generation.
inline std::vector<PointResult> measured_plan(const Model& model, const std::string& experiment,
                                              const std::map<std::string, std::string>& set = {},
                                              Preset preset = Preset::standard) {
  const auto device = open_sim(model, "test");
  const std::atomic<bool> stop{false};
  Measurer measurer{*device, stop};
  Protocol protocol;
  protocol.settle_ns = 0;
  const Experiment* const chosen[] = {find_experiment(experiment)};
  const Options options = make_options(chosen, set, preset, 1).front();
  std::vector<PointResult> results;
  for (;;) {
    const auto open = still_open(chosen[0]->plan(device->info(), options, results), results);
    if (open.empty()) return results;
    for (const Point& point : open)
      results.push_back(measurer.measure(*find_experiment(point.experiment), point, protocol, 7).result);
  }
}

}  // namespace percycle::sim
