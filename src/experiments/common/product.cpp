#include "experiments/common/product.hpp"

#include <algorithm>
#include <iterator>

namespace percycle {

std::vector<Point> product(const Point& point, const std::vector<Axis>& axes) {
  std::vector<Point> points{point};
  for (const Axis& axis : axes) {
    std::vector<Point> longer;
    for (const Point& each : points) {
      for (const Parameters& more : axis.lists(each)) {
        longer.push_back(each);
        longer.back().parameters.insert(more.begin(), more.end());
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::vector<std::int64_t> numbers(const std::vector<std::string>& words) {
  std::vector<std::int64_t> all;
  for (const std::string& word : words) all.push_back(std::stoll(word));
  return all;
}

void append(std::vector<Point>& points, std::vector<Point> more) { std::ranges::move(more, std::back_inserter(points)); }

}  // namespace percycle
