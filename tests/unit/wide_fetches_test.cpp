#include "analysis/wide_fetches.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace percycle::wide_fetches_test {
namespace {

constexpr double kKib = 1024;
constexpr double kTogetherFrom = 256 * kKib;
constexpr double kTogether = 64 * kKib;

CurveReading reading(const std::vector<std::pair<double, double>>& sizes_and_latencies, double memory) {
  CurveReading result;
  for (const auto& [size, latency] : sizes_and_latencies) {
    CurveLevel level;
    level.size = size;
    level.latency = latency;
    level.latency_error = 1;
    result.levels.push_back(level);
  }
  result.memory_latency = memory;
  result.memory_latency_error = 1;
  return result;
}

TEST_CASE("wide fetches: loads of lines that a neighbour fetched are taken out of the latencies behind") {
  // A miss of the second level fetches two nodes: behind it every other load hits there.
  const std::vector<double> nodes{1, 2, 2};
  const auto measured = reading({{16 * kKib, 50}, {512 * kKib, 300}, {16384 * kKib, 450}}, 600);
  const auto once = count_fetches_once(measured, nodes, kTogetherFrom, kTogether);
  CHECK(once.reading.levels[0].latency == 50);
  CHECK(once.reading.levels[1].latency == 300);
  CHECK(once.reading.levels[2].latency == doctest::Approx(600));
  CHECK(once.reading.levels[2].latency_error == doctest::Approx(2));
  CHECK(once.reading.memory_latency == doctest::Approx(900));
  CHECK(once.reading.memory_latency_error == doctest::Approx(2));
  CHECK_FALSE(once.memory_doubtful);
  for (const bool doubtful : once.doubtful) CHECK_FALSE(doubtful);
}

TEST_CASE("wide fetches: levels that fetch more and more at once answer their share each") {
  // One of four loads reaches the memory, one hits in the last level (the second half of its
  // fetch), two in the one before.
  const std::vector<double> nodes{2, 4};
  const auto measured = reading({{512 * kKib, 100}, {16384 * kKib, (200 + 100) / 2.0}}, (800 + 200 + 2 * 100) / 4.0);
  const auto once = count_fetches_once(measured, nodes, kTogetherFrom, kTogether);
  CHECK(once.reading.levels[1].latency == doctest::Approx(200));
  CHECK(once.reading.memory_latency == doctest::Approx(800));
}

TEST_CASE("wide fetches: where fetched nodes are lost before they are visited the latencies behind are doubtful") {
  const std::vector<double> nodes{2, 2};
  const auto measured = reading({{64 * kKib, 100}, {16384 * kKib, 300}}, 600);
  const auto once = count_fetches_once(measured, nodes, kTogetherFrom, kTogether);
  CHECK(once.doubtful == std::vector<bool>{false, true});
  CHECK(once.memory_doubtful);
  CHECK(once.reading.levels[1].latency == 300);
  CHECK(once.reading.memory_latency == 600);
}

TEST_CASE("wide fetches: a plateau that is partly walked node by node is doubtful") {
  const std::vector<double> nodes{2, 2};
  const auto measured = reading({{128 * kKib, 100}, {512 * kKib, 300}}, 600);
  const auto once = count_fetches_once(measured, nodes, kTogetherFrom, kTogether);
  CHECK(once.doubtful == std::vector<bool>{false, true});
  CHECK_FALSE(once.memory_doubtful);
}

TEST_CASE("wide fetches: without any nothing changes") {
  const std::vector<double> nodes{1, 1};
  const auto measured = reading({{64 * kKib, 100}, {16384 * kKib, 300}}, 600);
  const auto once = count_fetches_once(measured, nodes, kTogetherFrom, kTogether);
  CHECK(once.reading.levels[1].latency == 300);
  CHECK(once.reading.memory_latency == 600);
  CHECK_FALSE(once.memory_doubtful);
}

}  // namespace
}  // namespace percycle::wide_fetches_test
