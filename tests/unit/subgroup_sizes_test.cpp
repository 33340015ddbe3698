#include "device/subgroup_sizes.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "check_words.hpp"

namespace percycle::subgroup_sizes_test {
namespace {

using Sizes = std::vector<std::uint32_t>;

TEST_CASE("subgroup sizes: impossible ones are left out and named, the others stay in order") {
  std::vector<std::string> lacks;
  CHECK(possible_subgroup_sizes({32, 8, 16}, lacks) == Sizes{8, 16, 32});
  CHECK(possible_subgroup_sizes({1, 1, 1024}, lacks) == Sizes{1, 1024});
  CHECK(lacks.empty());
  CHECK(possible_subgroup_sizes({0, 1, 2, 24, 64, 2048, 1ull << 40}, lacks) == Sizes{1, 2, 64});
  REQUIRE(lacks.size() == 1);
  CHECK_WORDS("subgroup-sizes.impossible", lacks.front());
  CHECK(possible_subgroup_sizes({0}, lacks).empty());
}

TEST_CASE("subgroup sizes: of a CPU the one that its vectors have, not the first") {
  const Sizes pocl{1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
  CHECK(cpu_subgroup_size(pocl, 8) == 8);
  CHECK(cpu_subgroup_size(pocl, 16) == 16);
  CHECK(cpu_subgroup_size(pocl, 2048) == 512);
  CHECK(cpu_subgroup_size({32, 64}, 8) == 32);
  CHECK_FALSE(cpu_subgroup_size({}, 8));
}

}  // namespace
}  // namespace percycle::subgroup_sizes_test
