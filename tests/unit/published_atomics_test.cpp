#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/parameters.hpp"
#include "experiments/experiment.hpp"
#include "report/show.hpp"
#include "sim/model.hpp"
#include "source_folders.hpp"
#include "store/load.hpp"

namespace percycle::published_atomics_test {
namespace {

const std::string kFile = (published_folder() / "t4-report-table-4.2.jsonl").string();

/// Cycles by the number of lanes, 1 to 32.
using Curve = std::vector<double>;

/// By device and memory.
using Curves = std::map<std::pair<std::string, std::string>, Curve>;

Curves curves() {
  const LoadedFile file = load(kFile);
  std::map<std::string, std::string> device_of;
  for (const Header& header : file.headers) device_of[header.id] = header.device.name;
  Curves curves;
  std::int64_t lanes = 1;
  for (const Entry& entry : file.entries) {
    const auto& point = std::get<PointRecord>(entry);
    const Parameters& parameters = point.result.point.parameters;
    Curve& curve = curves[{device_of.at(point.header), word(parameters, "memory")}];
    lanes = curve.empty() ? 1 : 2 * lanes;
    CHECK(integer(parameters, "lanes") == lanes);
    curve.push_back(point.result.measurement->statistics.at("net_cycles_per_op").median);
  }
  return curves;
}

TEST_CASE("published atomics: six devices, two memories, six contentions") {
  const LoadedFile file = load(kFile);
  CHECK(file.headers.size() == 6);
  CHECK(file.entries.size() == 6 * 2 * 6);
  for (const Header& header : file.headers) {
    CHECK(header.publication->place == "table 4.2");
    CHECK(header.publication->year == 2019);
    CHECK(header.device.vendor == "NVIDIA");
  }
  const Curves found = curves();
  CHECK(found.size() == 6 * 2);
  for (const auto& curve : found) CHECK_MESSAGE(curve.second.size() == 6, curve.first.first);
}

TEST_CASE(
    "published atomics: each point has the parameters of the experiment's own, but for the operation and its type, which "
    "the report does not name") {
  const Experiment* experiment = find_experiment("atomic-latency");
  REQUIRE(experiment != nullptr);
  const auto specs = experiment->parameters();
  for (const Entry& entry : load(kFile).entries) {
    const Point& point = std::get<PointRecord>(entry).result.point;
    CHECK(point.experiment == experiment->name());
    std::size_t named = 0;
    for (const ParameterSpec& spec : specs) {
      // `lines` is the number planned.
      const bool is_one = spec.name != "operation" && spec.name != "type" && spec.name != "lines";
      CHECK(point.parameters.contains(spec.name) == is_one);
      named += is_one ? 1 : 0;
    }
    CHECK(point.parameters.size() == named);
    CHECK(word(point.parameters, "method") == "pair");
    CHECK(word(point.parameters, "placement") == "address");
  }
}

TEST_CASE("published atomics: the figures that the simulated models cite from the same table") {
  const Curves found = curves();
  for (const auto& pair : std::map<std::string, std::string>{
           {"T4", "t4"}, {"V100", "v100"}, {"P100", "p100"}, {"P4", "p4"}, {"M60", "m60"}, {"K80", "k80"}}) {
    const auto& device = pair.first;
    const auto& model = pair.second;
    CAPTURE(device);
    const auto atomics = sim::load_model(model).atomics;
    REQUIRE(atomics);
    CHECK(found.at({device, "local"}) == Curve(atomics->local_cycles.begin(), atomics->local_cycles.end()));
    CHECK(found.at({device, "global"}) == Curve(atomics->global_cycles.begin(), atomics->global_cycles.end()));
  }
}

TEST_CASE("published atomics: the report's text on the table") {
  const Curves found = curves();
  const auto at = [&](const char* device, const char* memory) -> const Curve& { return found.at({device, memory}); };
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    // Shared memory: Turing slightly slower than Volta, quicker than Pascal and older.
    CHECK(at("T4", "local")[i] > at("V100", "local")[i]);
    for (const char* older : {"P100", "P4", "M60", "K80"}) CHECK(at("T4", "local")[i] < at(older, "local")[i]);
    // Global memory: slower on the T4 than on the V100.
    CHECK(at("T4", "global")[i] > at("V100", "global")[i]);
    // Kepler is slower in shared memory than in global: 4 to 8 times by the text, 3.1 to 8.7 by the
    // table.
    CHECK(at("K80", "local")[i] > 3 * at("K80", "global")[i]);
    CHECK(at("K80", "local")[i] < 9 * at("K80", "global")[i]);
  }
  // No other is, and the M60 is the fastest in global memory: both by the table only without
  // contention.
  for (const char* device : {"T4", "V100", "P100", "P4", "M60"}) {
    CHECK(at(device, "local")[0] < at(device, "global")[0]);
    CHECK(at("M60", "global")[0] <= at(device, "global")[0]);
  }
}

TEST_CASE("published atomics: shown as a run's are") {
  const std::string text = show(load(kFile), limits_catalogue());
  CAPTURE(text);
  CHECK(text.starts_with("T4 (NVIDIA, CUDA)\npublished in Jia, Maggioni, Smith, Scarpazza: "));
  CHECK(text.find(R"(
atomic-latency: method=pair placement=address
  memory  lanes  net cycles/op
  global      1          76.00
  global      2          72.00
)") != std::string::npos);
  CHECK(text.find("measured 2") == std::string::npos);
}

}  // namespace
}  // namespace percycle::published_atomics_test
