#include "report/row_notes.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace percycle::fixed_cost_test {
namespace {

using Curve = std::vector<std::pair<double, double>>;  // size and time

const Presentation& presentation() {
  static const Presentation about = [] {
    Presentation axpy;
    axpy.fixed_cost = {.only = {{"test", "axpy"}}, .size = "footprint", .cost = "launch"};
    return axpy;
  }();
  return about;
}

std::vector<PointRow> rows(const Curve& curve, const char* test = "axpy") {
  std::vector<PointRow> rows;
  for (const auto& [size, ns] : curve) {
    PointRow row;
    row.about = &presentation();
    row.parameters.emplace("test", std::string(test));
    row.parameters.emplace("footprint", size);
    row.figures.emplace("ns_per_op", ns);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The notes of all rows, one entry per row.
std::vector<std::string> notes(std::vector<PointRow> rows) {
  std::vector<PointRow*> pointers;
  for (PointRow& each : rows) pointers.push_back(&each);
  add_row_notes(pointers);
  std::vector<std::string> all;
  for (const PointRow& each : rows) {
    for (const Note& note : each.notes) CHECK_FALSE(note.is_warning);
    all.push_back(each.notes.empty() ? "" : each.notes.front().text);
  }
  return all;
}

const std::string kNote = "up to here the launch decides the time: at most 2 times the shortest, 100 ns";

TEST_CASE("the largest point of at most twice the shortest time has the note") {
  CHECK(notes(rows({{1, 104}, {2, 100}, {4, 200}, {8, 201}, {16, 900}})) == std::vector<std::string>{"", "", kNote, "", ""});
  // In any order of measurement.
  CHECK(notes(rows({{16, 900}, {4, 200}, {1, 104}, {8, 201}, {2, 100}})) == std::vector<std::string>{"", kNote, "", "", ""});
}

TEST_CASE("without a point beyond, or with only one before, the size is unknown") {
  CHECK(notes(rows({{1, 100}, {2, 110}, {4, 200}})) == std::vector<std::string>(3));
  CHECK(notes(rows({{1, 100}, {2, 201}, {4, 400}})) == std::vector<std::string>(3));
  CHECK(notes({}).empty());
}

TEST_CASE("points of other tests, without a result or without a rule do not count") {
  CHECK(notes(rows({{1, 100}, {2, 110}, {4, 400}}, "groups")) == std::vector<std::string>(3));
  auto failed = rows({{1, 100}, {2, 110}, {3, 120}, {4, 400}});
  failed[2].reason = "failed: lost";
  CHECK(notes(failed) == std::vector<std::string>{"", kNote, "", ""});
  const Presentation none;
  auto unruled = rows({{1, 100}, {2, 110}, {4, 400}});
  for (PointRow& row : unruled) row.about = &none;
  CHECK(notes(unruled) == std::vector<std::string>(3));
}

}  // namespace
}  // namespace percycle::fixed_cost_test
