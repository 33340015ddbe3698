#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "session/finished_points.hpp"

namespace percycle::finished_points_test {
namespace {

PointResult numbered(std::int64_t number, const std::string& reason = {}) {
  return {{"counting", {{"number", number}}}, {reason.empty() ? Status::ok : Status::failed, reason}, {}};
}

TEST_CASE("finished points stand in the order of their names, each with its last result") {
  FinishedPoints points;
  CHECK(points.empty());
  CHECK_FALSE(points.contains(numbered(1).point));
  CHECK_THROWS_AS(points.at(numbered(1).point), std::out_of_range);
  for (const std::int64_t number : {3, 1, 20, 2}) points.add(numbered(number));
  points.add(numbered(1, "again"));
  CHECK(points.size() == 4);
  std::vector<std::int64_t> order;
  for (const PointResult& result : points.all()) order.push_back(integer(result.point.parameters, "number"));
  CHECK(order == std::vector<std::int64_t>{1, 2, 20, 3});
  CHECK(points.at(numbered(1).point).outcome.reason == "again");
  CHECK(points.at(numbered(20).point).outcome.status == Status::ok);
  CHECK_FALSE(points.contains(numbered(4).point));
}

}  // namespace
}  // namespace percycle::finished_points_test
