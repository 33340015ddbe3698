#include "stats/change.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace percycle::change_test {
namespace {

TEST_CASE("change: the median over the runs of each run's median") {
  CHECK(median_of_runs({{1, 2, 9}}) == 2);
  CHECK(median_of_runs({{1, 2, 9}, {4, 4, 4}, {100}}) == 4);
  CHECK(median_of_runs({{1, 1, 1}, {3}}) == 2);
}

TEST_CASE("change: samples without spread have an interval without width") {
  const Change change = change_of_medians({{2, 2, 2}}, {{3, 3, 3}, {3}}, 1);
  CHECK(change.ratio == 1.5);
  CHECK(change.low == 1.5);
  CHECK(change.high == 1.5);
}

TEST_CASE("change: differences between runs widen the interval, even if each run is quiet") {
  const Change one_run = change_of_medians({{10, 10, 10}}, {{11, 11, 11}}, 1);
  CHECK(one_run.low == 1.1);
  // Runs of 10 and 12 before, 11 and 13 after: drawn twice with replacement.
  const Change runs = change_of_medians({{10, 10, 10}, {12, 12, 12}}, {{11, 11, 11}, {13, 13, 13}}, 1);
  CHECK(runs.ratio == 12.0 / 11);
  CHECK(runs.low == 11.0 / 12);
  CHECK(runs.high == 13.0 / 10);
}

TEST_CASE("change: within a run the samples are drawn") {
  const Change change = change_of_medians({{1}}, {{4, 5, 6}}, 1);
  CHECK(change.ratio == 5);
  CHECK(change.low == 4);  // two or three of three draws are 4 in 7 of 27 cases
  CHECK(change.high == 6);
}

TEST_CASE("change: the tails of the interval hold one in twenty together") {
  std::vector<double> all;
  for (int i = 1; i <= 1000; ++i) all.push_back(i);
  const Change change = change_of_medians({{1}}, {all}, 1);
  // The median of 1000 draws has a standard error of 1000 / (2 sqrt 1000) = 15.8.
  CHECK(change.low > 500.5 - 3 * 15.8);
  CHECK(change.low < 500.5 - 1.5 * 15.8);
  CHECK(change.high < 500.5 + 3 * 15.8);
  CHECK(change.high > 500.5 + 1.5 * 15.8);
}

TEST_CASE("change: each tail of the interval is one in forty") {
  // Nine draws or more of 17 are one of the five with a probability of 3.5 %.
  const auto bound = [](double often, double seldom) {
    std::vector<double> values(12, often);
    values.insert(values.end(), 5, seldom);
    return change_of_medians({{1}}, {values}, 1);
  };
  CHECK(bound(1, 2).high == 2);
  CHECK(bound(2, 1).low == 1);
}

TEST_CASE("change: the same seed gives the same interval, around the change") {
  const RunSamples before{{10, 11, 12, 13, 14.5}};
  const RunSamples after{{10.5, 11.25, 12, 13, 17}, {9, 10, 11}};
  const Change first = change_of_medians(before, after, 7);
  const Change again = change_of_medians(before, after, 7);
  CHECK(first.low == again.low);
  CHECK(first.high == again.high);
  CHECK(first.low < first.ratio);
  CHECK(first.ratio < first.high);
}

TEST_CASE("change: none for empty runs and values that are not above 0") {
  CHECK_THROWS_AS(change_of_medians({}, {{1}}, 1), std::invalid_argument);
  CHECK_THROWS_AS(change_of_medians({{1}}, {{1}, {}}, 1), std::invalid_argument);
  CHECK_THROWS_AS(change_of_medians({{0}}, {{1}}, 1), std::invalid_argument);
  CHECK_THROWS_AS(change_of_medians({{1}}, {{std::numeric_limits<double>::quiet_NaN()}}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace percycle::change_test
