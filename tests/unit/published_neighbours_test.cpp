// results/published.md lists the published instructions that no chain measures.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <variant>

#include "presentation/presentation.hpp"
#include "source_folders.hpp"
#include "store/load.hpp"

namespace percycle::published_neighbours_test {
namespace {

constexpr const char* kExperiment = "instruction-latency";

/// Whether the point is beside a measured one.
bool has_neighbour(const Parameters& parameters) {
  const auto& places = presentation_of(kExperiment).published;
  return std::ranges::any_of(places, [&](const PublishedPlace& place) {
    return place.published.size() == parameters.size() && std::ranges::all_of(place.published, [&](const auto& wanted) {
             const auto found = parameters.find(wanted.first);
             return found != parameters.end() && found->second == ParameterValue(wanted.second);
           });
  });
}

/// "`Logic and Shift`: `cnot`", "`MOV`"
std::string row_name(const Parameters& parameters) {
  const std::string instruction = "`" + word(parameters, "instruction") + "`";
  return parameters.contains("class") ? "`" + word(parameters, "class") + "`: " + instruction : instruction;
}

std::set<std::string> without_neighbour() {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(published_folder())) {
    for (const Entry& entry : load(file.path().string()).entries) {
      const auto* record = std::get_if<PointRecord>(&entry);
      if (record == nullptr || record->result.point.experiment != kExperiment) continue;
      if (!has_neighbour(record->result.point.parameters)) names.insert(row_name(record->result.point.parameters));
    }
  }
  return names;
}

/// First cells of the table below the heading.
std::set<std::string> listed() {
  std::ifstream page(published_folder().parent_path() / "published.md");
  std::set<std::string> names;
  bool is_inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) is_inside = line == "## Instructions without a measured neighbour";
    if (is_inside && line.starts_with("| `")) names.insert(line.substr(2, line.find(" |") - 2));
  }
  return names;
}

TEST_CASE("published.md lists the published instructions that no chain measures, and no others") {
  const auto missing = without_neighbour();
  CHECK(missing.size() > 10);
  CHECK(listed() == missing);
}

}  // namespace
}  // namespace percycle::published_neighbours_test
