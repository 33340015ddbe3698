#pragma once

#include <atomic>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "measure/measurer.hpp"
#include "sim/sim.hpp"

namespace percycle::simtest {

/// Runs the experiments' plans on a simulated device of this model, in this process, like a
/// session.
inline std::vector<PointResult> run_model(const sim::Model& model, const std::vector<std::string>& names, Preset preset,
                                          std::uint64_t seed, const std::map<std::string, std::string>& set = {}) {
  const auto device = open_sim(model, model.name);
  const std::atomic<bool> stop{false};
  Measurer measurer(*device, stop);
  std::map<std::string, PointResult> done;
  for (const auto& name : names) {
    const Experiment* experiment = find_experiment(name);
    if (experiment == nullptr) throw std::invalid_argument("no experiment " + name);
    const auto options = make_options({&experiment, 1}, set, preset, seed).front();
    for (;;) {
      std::vector<PointResult> results;
      for (const auto& [key, result] : done) results.push_back(result);
      bool any = false;
      for (const auto& point : experiment->plan(device->info(), options, results)) {
        if (done.contains(to_string(point))) continue;
        any = true;
        done[to_string(point)] = measurer.measure(*find_experiment(point.experiment), point, protocol_for(preset), seed).result;
      }
      if (!any) break;
    }
  }
  std::vector<PointResult> results;
  for (auto& [key, result] : done) results.push_back(std::move(result));
  return results;
}

}  // namespace percycle::simtest
