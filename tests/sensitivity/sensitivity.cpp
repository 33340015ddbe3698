// percycle_sensitivity SOURCE... prints the findings for each SOURCE with other thresholds: one
// JSON array per line `STRUCT NUMBER VALUE` on stdin; an empty line changes none. `sim:MODEL` is
// measured again with each threshold, since plans depend on the analysis; `once:MODEL` is not.
#include <array>
#include <bit>
#include <cstddef>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/hierarchy.hpp"
#include "analysis/repeated_point.hpp"
#include "analysis/thresholds.hpp"
#include "report/hierarchy_json.hpp"
#include "sim/run_model.hpp"
#include "sim/truth.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

struct Setting {
  std::string structure;
  std::size_t number = 0;
  double value = 0;
};

/// Replaces one threshold of a reader and resets its others.
template <typename Struct>
auto replacing(Struct& thresholds) {
  return [&thresholds](const Setting& setting) {
    auto values = std::bit_cast<std::array<double, sizeof(Struct) / sizeof(double)>>(Struct{});
    values.at(setting.number) = setting.value;
    thresholds = std::bit_cast<Struct>(values);
  };
}

const std::map<std::string, std::function<void(const Setting&)>> kStructs{
    {"CurveThresholds", replacing(curve_thresholds)},
    {"SecondLookThresholds", replacing(second_look_thresholds)},
    {"ShapeThresholds", replacing(shape_thresholds)},
    {"RiseThresholds", replacing(rise_thresholds)},
    {"LevelThresholds", replacing(level_thresholds)},
    {"GeometryThresholds", replacing(geometry_thresholds)},
    {"ReplacementThresholds", replacing(replacement_thresholds)},
    {"TlbThresholds", replacing(tlb_thresholds)},
    {"RampThresholds", replacing(ramp_thresholds)},
    {"StairThresholds", replacing(stair_thresholds)},
    {"DisturbanceThresholds", replacing(disturbance_thresholds)},
    {"HierarchyThresholds", replacing(hierarchy_thresholds)},
    {"CopiesThresholds", replacing(copies_thresholds)},
    {"GroupThresholds", replacing(group_thresholds)},
};

using Findings = std::function<nlohmann::json()>;

/// The hierarchy of a file of one device and API.
Findings record(const std::string& path) {
  std::map<std::string, PointResult> points;
  for (const Entry& entry : load(path).entries) {
    const auto* point = std::get_if<PointRecord>(&entry);
    if (point == nullptr) continue;
    const auto [found, is_new] = points.try_emplace(to_string(point->result.point), point->result);
    if (!is_new && later_counts(found->second, point->result)) found->second = point->result;
  }
  std::vector<PointResult> results;
  for (auto& [question, result] : points) results.push_back(std::move(result));
  return [results = std::move(results)] { return to_json(find_hierarchy(results)); };
}

/// The errors in a model's hierarchy, measured with noise of 1 %.
Findings simulation(const std::string& name, bool again) {
  auto model = sim::load_model(name);
  model.noise.gaussian = 0.01;
  model.noise.outlier_share = 0.002;
  model.noise.seed = 1;
  const auto measure = [model] {
    return simtest::run_model(model, {"latency", "geometry", "tlb", "private-caches"}, Preset::standard, 1);
  };
  if (again) return [model, measure] { return nlohmann::json(simtest::wrong(model, find_hierarchy(measure()))); };
  return [model, points = measure()] { return nlohmann::json(simtest::wrong(model, find_hierarchy(points))); };
}

Findings source_named(const std::string& name) {
  if (name.starts_with("sim:")) return simulation(name.substr(4), true);
  if (name.starts_with("once:")) return simulation(name.substr(5), false);
  return record(name);
}

void answer(const std::vector<std::string>& names) {
  std::vector<Findings> sources;
  for (const auto& name : names) sources.push_back(source_named(name));
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty()) {
      Setting setting;
      std::istringstream words(line);
      words >> setting.structure >> setting.number >> setting.value;
      const auto known = kStructs.find(setting.structure);
      if (!words || known == kStructs.end()) throw std::invalid_argument("no threshold: " + line);
      known->second(setting);
    }
    auto findings = nlohmann::json::array();
    for (const auto& source : sources) {
      try {
        findings.push_back(source());
      } catch (const std::exception& error) {
        findings.push_back(error.what());
      }
    }
    std::cout << findings.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  }
}

}  // namespace
}  // namespace percycle

int main(int count, char** arguments) {
  try {
    percycle::answer({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::cerr << "percycle_sensitivity: " << error.what() << '\n';
    return 1;
  }
}
