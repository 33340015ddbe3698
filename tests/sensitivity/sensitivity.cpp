// percycle_sensitivity SOURCE... prints the findings for each SOURCE with other thresholds: one
// JSON array per line `STRUCT NUMBER VALUE` on stdin; an empty line changes none. `sim:MODEL` is
// measured again for each, `once:MODEL` is not. `record SEED` prints a record of a random model.
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/hierarchy.hpp"
#include "analysis/repeated_point.hpp"
#include "report/report_json.hpp"
#include "sensitivity/set_threshold.hpp"
#include "sim/run_model.hpp"
#include "sim/truth.hpp"
#include "sim/wide_model.hpp"
#include "store/load.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

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

std::vector<PointResult> measure_all(const sim::Model& model) {
  return simtest::run_model(model, {"latency", "geometry", "tlb", "private-caches"}, Preset::standard, 1);
}

/// The errors in a shipped model's hierarchy, measured with noise of 5 %.
Findings simulation(const std::string& name, bool again) {
  auto model = sim::load_model(name);
  model.noise.gaussian = 0.05;
  model.noise.outlier_share = 0.002;
  model.noise.seed = 1;
  if (again) return [model] { return nlohmann::json(simtest::wrong(model, find_hierarchy(measure_all(model)))); };
  return [model, points = measure_all(model)] { return nlohmann::json(simtest::wrong(model, find_hierarchy(points))); };
}

/// Prints a record of the random model of a seed, so that each change of a threshold need not
/// measure it again.
void print_record(std::uint64_t seed) {
  auto model = simtest::wide_model(seed);
  model.noise.seed = seed;
  const Header header{.id = "0123456789abcdef",
                      .created = "2026-11-21T09:30:00Z",
                      .tool_version = "1.0.0",
                      .tool_commit = "",
                      .os = "Linux",
                      .device = open_sim(model, model.name)->info(),
                      .identity = model.name,
                      .architecture = "",
                      .unit_name = "unit",
                      .reported_units = std::nullopt,
                      .catalogue_units = std::nullopt,
                      .checks = {},
                      .options = {{"latency"}, "standard", {}, seed},
                      .kernels_hash = "0123456789abcdef",
                      .publication = std::nullopt};
  std::cout << to_json(Record(header)).dump() << '\n';
  for (const PointResult& result : measure_all(model))
    std::cout << to_json(Record(PointRecord{header.id, result})).dump() << '\n';
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
    if (!line.empty()) sensitivity::set_threshold(line);
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
    const std::vector<std::string> sources(arguments + 1, arguments + count);
    if (sources.size() == 2 && sources[0] == "record") {
      percycle::print_record(std::stoull(sources[1]));
    } else {
      percycle::answer(sources);
    }
  } catch (const std::exception& error) {
    std::cerr << "percycle_sensitivity: " << error.what() << '\n';
    return 1;
  }
}
