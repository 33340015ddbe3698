#include "report/report_json.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "analysis/hierarchy.hpp"
#include "source_folders.hpp"
#include "unit/store_examples.hpp"

namespace percycle::report_json_test {
namespace {

TEST_CASE("report JSON: six significant digits, absent members and both kinds of sharing") {
  Hierarchy hierarchy;
  HierarchyLevel& level = hierarchy.levels.emplace_back();
  level.path = "global";
  level.name = "L1";
  level.size_bytes = level.size_low = level.size_high = 1024;
  level.latency_ns = 1234567.8;
  level.latency_cycles = 1.0 / 3;
  set_confidence(level, 0.9);
  level.latency_confidence = 0.8;
  HierarchyMemory& memory = hierarchy.memory.emplace_back();
  memory.path = "global";
  memory.reached = false;
  memory.together_ns = 5;
  hierarchy.sharing.paths.push_back({"global", "texture", true, 0.5, {"a"}});
  hierarchy.sharing.units.push_back({"constant", 2, 2048, false, 1, {}});
  CHECK(to_json(hierarchy).dump() ==
        R"({"levels":[{"confidence":0.9,"evidence":[],"latency_confidence":0.8,"latency_cycles":0.333333,"latency_ns":1234570.0,)"
        R"("name":"L1","path":"global","size_bytes":1024,"size_high":1024,"size_low":1024}],)"
        R"("memory":[{"confidence":0.0,"evidence":[],"path":"global","reached":false}],"private_copies":[],"sharing":[)"
        R"({"between":"paths","confidence":0.5,"evidence":["a"],"first":"global","second":"texture","shared":true},)"
        R"({"between":"units","confidence":1.0,"evidence":[],"level":2,"path":"constant","shared":false,"size_bytes":2048}],)"
        R"("tlbs":[]})");
}

TEST_CASE("report JSON: the published copies of the schemas are up to date") {
  for (const std::string_view name : output_names()) {
    CAPTURE(name);
    CHECK(examples::read_text(published_folder().parent_path() / fmt::format("{}.schema.json", name)) == output_schema(name));
  }
}

}  // namespace
}  // namespace percycle::report_json_test
