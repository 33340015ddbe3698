#include "device/spare_list.hpp"

#include <doctest/doctest.h>

namespace percycle::spare_list_test {
namespace {

struct Block {
  explicit Block(std::uint64_t size) : size(size) {}
  std::uint64_t bytes() const { return size; }
  std::uint64_t size;
};

TEST_CASE("spare list: a released buffer is found again by its size") {
  SpareList<Block> spares;
  auto used = std::make_shared<Block>(100);
  const Block* first = used.get();
  spares.add(used);
  CHECK(spares.find(100) == nullptr);
  used.reset();
  CHECK(spares.find(99) == nullptr);
  CHECK(spares.find(101) == nullptr);
  const auto again = spares.find(100);
  CHECK(again.get() == first);
  CHECK(spares.find(100) == nullptr);
}

TEST_CASE("spare list: two of a size are two") {
  SpareList<Block> spares;
  spares.add(std::make_shared<Block>(100));
  spares.add(std::make_shared<Block>(100));
  const auto one = spares.find(100);
  const auto other = spares.find(100);
  REQUIRE(other);
  CHECK(one != other);
  CHECK(spares.find(100) == nullptr);
}

TEST_CASE("spare list: only spare ones go") {
  SpareList<Block> spares;
  const auto used = std::make_shared<Block>(100);
  const std::weak_ptr<Block> spare = [&] {
    auto block = std::make_shared<Block>(30);
    spares.add(block);
    return block;
  }();
  spares.add(used);
  CHECK(spares.bytes() == 130);
  CHECK(spares.drop() == 1);
  CHECK(spare.expired());
  CHECK(spares.bytes() == 100);
  CHECK(spares.drop() == 0);
}

}  // namespace
}  // namespace percycle::spare_list_test
