#include "core/last_results.hpp"

#include <doctest/doctest.h>

#include <future>
#include <stdexcept>

namespace percycle {
namespace {

TEST_CASE("a result is made once, until others push it out") {
  LastResults<int, int> results(2);
  int made = 0;
  const auto square = [&](int key) { return results.get(key, [&, key] { return ++made, key * key; }); };
  CHECK(square(2) == 4);
  CHECK(square(3) == 9);
  CHECK(square(2) == 4);
  CHECK(made == 2);
  CHECK(square(4) == 16);  // the oldest goes: that of 2
  CHECK(square(3) == 9);
  CHECK(made == 3);
  CHECK(square(2) == 4);
  CHECK(made == 4);
}

TEST_CASE("who asks for what another thread makes waits for it") {
  LastResults<int, int> results(2);
  std::promise<void> begun;
  std::promise<void> may_end;
  auto first = std::async(std::launch::async, [&] {
    return results.get(1, [&] {
      begun.set_value();
      may_end.get_future().wait();
      return 10;
    });
  });
  begun.get_future().wait();
  auto second = std::async(std::launch::async, [&] { return results.get(1, [] { return 20; }); });
  CHECK(results.get(2, [] { return 30; }) == 30);  // nobody waits for other results
  may_end.set_value();
  CHECK(first.get() == 10);
  CHECK(second.get() == 10);
}

TEST_CASE("an error is a result") {
  LastResults<int, int> results(2);
  CHECK_THROWS_AS(results.get(1, []() -> int { throw std::invalid_argument("no"); }), std::invalid_argument);
  CHECK_THROWS_AS(results.get(1, [] { return 1; }), std::invalid_argument);
}

}  // namespace
}  // namespace percycle
