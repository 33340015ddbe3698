#include "report/pair_map.hpp"

#include <doctest/doctest.h>

#include <cstdint>

#include "check_words.hpp"
#include "point_examples.hpp"
#include "presentation/presentation.hpp"

namespace percycle::pair_map_test {
namespace {

PointResult pair(std::int64_t first, std::int64_t second, double ns, double tries = 1) {
  auto result = examples::measured("atomic-heatmap", {{"first_unit", first}, {"second_unit", second}}, 2 * ns);
  result.measurement->statistics["tries_per_op"] = {tries, 0, tries, tries, 5};
  return result;
}

std::string map_of(const std::vector<PointResult>& results) {
  std::vector<const PointResult*> pointers;
  for (const auto& result : results) pointers.push_back(&result);
  return pair_map("atomic-heatmap", pointers);
}

TEST_CASE("pair map: the distribution over pairs and the groups of units, ranges of neighbours together") {
  std::vector<PointResult> results;
  for (std::int64_t a = 0; a < 8; ++a) {
    for (std::int64_t b = a + 1; b < 8; ++b) results.push_back(pair(a, b, a % 4 < 3 && b % 4 < 3 ? 80 : 130));
  }
  CHECK_WORDS("pair-map.groups", map_of(results));
}

TEST_CASE("pair map: pairs out of step are listed separately, and failed points are reported") {
  std::vector<PointResult> results{pair(0, 1, 90), pair(2, 3, 92), pair(4, 5, 94), pair(6, 7, 200, 1.9), pair(8, 9, 91, 1.5)};
  results.push_back({{"atomic-heatmap", {{"first_unit", 3}, {"second_unit", 4}}}, {Status::unsupported, "no reason"}, {}});
  const std::string text = map_of(results);
  CHECK(text.find("  5 pairs of units, ns/hand-over: min 90.0, p10 90.0, median 92.0, p90 200.0, max 200.0\n") !=
        std::string::npos);
  CHECK(text.find("  of them 4 in step: min 90.0, p10 90.0, median 92.0, p90 94.0, max 94.0\n") != std::string::npos);
  CHECK(text.find("  and 1 out of step (more than 1.5 tries/hand-over): min 200.0") != std::string::npos);
  CHECK(text.find("first_unit=3 second_unit=4: unsupported: no reason\n") != std::string::npos);
}

TEST_CASE("pair map: words, parameters and figures come from the experiment") {
  const RegisterPresentation swaps(
      "swaps-of-units", {.title = "Swaps",
                         .question = {},
                         .method = {},
                         .operation = "swap",
                         .pairs = {{.name = "swaps",
                                    .title = "Swaps",
                                    .first = "from",
                                    .second = "to",
                                    .figure = "net_ns_per_op",
                                    .split = {.figure = "waits_per_op", .most = 3, .below = "fast", .above = "slow"}}}});
  std::vector<PointResult> results;
  for (const std::int64_t from : {0, 2, 4}) {
    results.push_back(examples::measured("swaps-of-units", {{"from", from}, {"to", from + 1}}, 1));
    auto& statistics = results.back().measurement->statistics;
    statistics["net_ns_per_op"] = {50.0 + static_cast<double>(from), 0, 0, 0, 5};
    statistics["waits_per_op"] = {1.0 + static_cast<double>(from), 0, 0, 0, 5};
  }
  CHECK_WORDS("pair-map.swaps", pair_map("swaps-of-units", {&results[0], &results[1], &results[2]}));
}

TEST_CASE("pair map: no outstanding units are reported as such; without measurements only the reason") {
  CHECK(map_of({pair(0, 1, 90), pair(2, 3, 92)}).find("  no groups of units: their nearest partners are 90.0 to 92.0 ns away") !=
        std::string::npos);
  const std::vector<PointResult> none{
      {{"atomic-heatmap", {{"first_unit", 0}, {"second_unit", 1}}}, {Status::unsupported, "blind"}, {}}};
  CHECK_WORDS("pair-map.none", map_of(none));
}

}  // namespace
}  // namespace percycle::pair_map_test
