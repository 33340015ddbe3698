#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/parameters.hpp"

namespace percycle {

/// One loop of product(): the values of a parameter, or of several that go together.
class Axis {
 public:
  /// `values` is a list, or a function that makes the list for a point with the parameters of all
  /// axes before this one.
  template <typename Values>
  Axis(std::string name, Values values)
      : lists_([name = std::move(name), values = std::move(values)](const Point& point) {
          std::vector<Parameters> lists;
          const auto add = [&](const auto& list) {
            for (const auto& value : list) lists.push_back({{name, value}});
          };
          if constexpr (std::invocable<const Values&, const Point&>) {
            add(values(point));
          } else {
            add(values);
          }
          return lists;
        }) {}
  explicit Axis(std::vector<Parameters> lists) : lists_([lists = std::move(lists)](const Point&) { return lists; }) {}
  explicit Axis(std::function<std::vector<Parameters>(const Point&)> lists) : lists_(std::move(lists)) {}

  std::vector<Parameters> lists(const Point& point) const { return lists_(point); }

 private:
  std::function<std::vector<Parameters>(const Point&)> lists_;
};

/// The point with every combination of values, as nested loops make them: the last axis varies
/// fastest.
std::vector<Point> product(const Point& point, const std::vector<Axis>& axes);

/// The words of a list as numbers.
std::vector<std::int64_t> numbers(const std::vector<std::string>& words);

/// Adds `more` to the end of `points`.
void append(std::vector<Point>& points, std::vector<Point> more);

}  // namespace percycle
