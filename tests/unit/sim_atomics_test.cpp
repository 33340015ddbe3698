#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "measure/measurer.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_atomics_test {
namespace {

struct Measuring {
  explicit Measuring(const Model& model) : device(open_sim(model, "test")) {}

  PointResult operator()(const std::string& operation, const std::string& memory, const std::string& method,
                         const std::string& placement, std::int64_t lanes) {
    const Point point{"atomic-latency",
                      {{"operation", operation},
                       {"type", "int32"},
                       {"memory", memory},
                       {"method", method},
                       {"placement", placement},
                       {"lanes", lanes}}};
    Protocol protocol;
    protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 1};
    protocol.shortest_sample_ns = 1e5;
    protocol.longest_target_ns = 1e5;
    protocol.control_samples = 1;
    protocol.settle_ns = 1e5;
    return measurer.measure(*find_experiment("atomic-latency"), point, protocol, 7).result;
  }

  double cycles(const std::string& memory, const std::string& method, const std::string& placement, std::int64_t lanes) {
    const PointResult result = (*this)("add", memory, method, placement, lanes);
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    return result.measurement->statistics.at("net_cycles_per_op").median;
  }

  std::unique_ptr<Device> device;
  std::atomic<bool> stop{false};
  Measurer measurer{*device, stop};
};

TEST_CASE("sim atomics: the model gives a latency for any number of contenders") {
  const ContendedCycles figures{8, 10, 14};
  CHECK(cycles_of(figures, 1) == 8);
  CHECK(cycles_of(figures, 2) == 10);
  CHECK(cycles_of(figures, 3) == 12);
  CHECK(cycles_of(figures, 4) == 14);
  CHECK(cycles_of(figures, 5) == 16);
  CHECK(cycles_of(figures, 12) == 30);
  CHECK(cycles_of({7, 5}, 1) == 7);
  CHECK(cycles_of({9}, 33) == 9);
}

struct Published {
  const char* model;
  std::vector<double> local;
  std::vector<double> global;
};

TEST_CASE("sim atomics: table 4.2 is recovered within 2 % by both methods, and so is the cost of each further lane") {
  const std::vector<Published> table{{"t4", {8, 10, 14, 22, 37, 69}, {76, 72, 73, 81, 97, 116}},
                                     {"v100", {6, 7, 11, 18, 24, 66}, {36, 31, 32, 41, 58, 76}},
                                     {"p100", {15, 17, 19, 30, 46, 78}, {26, 31, 48, 48, 50, 50}},
                                     {"p4", {16, 18, 25, 30, 46, 78}, {30, 50, 50, 51, 51, 51}},
                                     {"m60", {17, 19, 25, 31, 47, 79}, {24, 26, 41, 41, 46, 46}},
                                     {"k80", {93, 214, 460, 952, 1936, 4257}, {29, 69, 96, 152, 264, 488}}};
  for (const auto& published : table) {
    CAPTURE(published.model);
    Measuring measuring(load_model(published.model));
    for (const auto& pair : {std::pair{"local", published.local}, {"global", published.global}}) {
      const auto& memory = pair.first;
      const auto& figures = pair.second;
      for (const char* method : {"chain", "pair"}) {
        CAPTURE(memory);
        CAPTURE(method);
        for (std::size_t i = 0; i < figures.size(); ++i) {
          CHECK(measuring.cycles(memory, method, "address", std::int64_t{1} << i) == doctest::Approx(figures[i]).epsilon(0.02));
        }
        const double further = (figures[5] - figures[4]) / 16;
        CHECK(measuring.cycles(memory, method, "address", 64) == doctest::Approx(figures[5] + 32 * further).epsilon(0.02));
        CHECK(measuring.cycles(memory, method, "line", 32) == doctest::Approx(figures[0]).epsilon(0.02));
      }
    }
  }
}

TEST_CASE("sim atomics: every operation takes the model's time") {
  Measuring measuring(load_model("t4"));
  for (const char* operation : {"add", "min", "exchange", "compare-exchange", "and-or"}) {
    CAPTURE(operation);
    const auto result = measuring(operation, "global", "chain", "address", 4);
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    CHECK(result.measurement->statistics.at("net_cycles_per_op").median == doctest::Approx(73).epsilon(0.02));
  }
}

TEST_CASE("sim atomics: noise changes their times") {
  Model slow = load_model("t4");
  slow.noise.outlier_share = 1;  // each duration three times as long
  const auto result = Measuring(slow)("add", "local", "chain", "address", 1);
  REQUIRE(result.measurement);
  // 8 cycles of the operation and 8 of the arithmetic.
  CHECK(result.measurement->statistics.at("cycles_per_op").median == doctest::Approx(48).epsilon(1e-3));
}

TEST_CASE("sim atomics: a model without their costs does not support them") {
  const auto result = Measuring(examples::small())("add", "global", "chain", "address", 1);
  CHECK(result.outcome.status == Status::unsupported);
  CHECK(result.outcome.reason.find("the model has no latencies of atomic operations (table [atomics])") != std::string::npos);
}

}  // namespace
}  // namespace percycle::sim::sim_atomics_test
