#include "device/stale_memory.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace percycle::stale_memory_test {
namespace {

TEST_CASE("stale memory: every page has other bytes at its beginning, and the rest stays") {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{4}, std::size_t{4096}, std::size_t{3 * 4096 + 5}}) {
    CAPTURE(bytes);
    std::vector<std::byte> memory(bytes, std::byte{1});
    mark_stale(memory);
    for (std::size_t at = 0; at < bytes; ++at) CHECK((memory[at] == std::byte{1}) == (at % 4096 >= 16));
  }
}

}  // namespace
}  // namespace percycle::stale_memory_test
