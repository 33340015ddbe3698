#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include "experiments/chain.hpp"
#include "experiments/multiply_add.hpp"

namespace percycle {
namespace {

/// The next link of every node, as a kernel would write it.
std::vector<std::uint32_t> links_of(const Chain& chain) {
  std::vector<std::uint32_t> links(chain.nodes());
  for (std::uint32_t node = 0; node < chain.nodes(); ++node) links[node] = chain.place(std::uint64_t{chain.position(node)} + 1);
  return links;
}

/// How many steps lead from `start` back to it; 0 where the walk is longer than the chain or leaves it.
std::uint64_t cycle_length(const std::vector<std::uint32_t>& links, std::uint32_t start) {
  std::uint32_t node = start;
  for (std::uint64_t steps = 1; steps <= links.size(); ++steps) {
    node = links.at(node);
    if (node == start) return steps;
  }
  return 0;
}

const std::vector<std::uint64_t> kSizes{2,   3,   4,   5,   7,    8,    9,    31,   32,    33,
                                        100, 127, 128, 129, 1000, 4095, 4096, 4097, 65536, 99991};

TEST_CASE("a chain of any size, order and seed is a single cycle through all of its nodes") {
  for (const ChainOrder order : {ChainOrder::random, ChainOrder::sequential}) {
    for (const std::uint64_t nodes : kSizes) {
      for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
        CAPTURE(nodes);
        CAPTURE(seed);
        CHECK(cycle_length(links_of(Chain(nodes, order, seed)), 0) == nodes);
      }
    }
  }
}

TEST_CASE("a million nodes and seven are a single cycle, too") {
  const Chain chain((1u << 20) + 7, ChainOrder::random, 42);
  CHECK(cycle_length(links_of(chain), 5) == (1u << 20) + 7);
}

TEST_CASE("place and position are each other's inverse, and places wrap round") {
  for (const ChainOrder order : {ChainOrder::random, ChainOrder::sequential}) {
    for (const std::uint64_t nodes : kSizes) {
      CAPTURE(nodes);
      const Chain chain(nodes, order, 7);
      CHECK(chain.nodes() == nodes);
      bool inverse = true;
      for (std::uint32_t i = 0; i < nodes; ++i) {
        inverse = inverse && chain.place(i) < nodes && chain.position(chain.place(i)) == i && chain.place(chain.position(i)) == i;
      }
      CHECK(inverse);
      CHECK(chain.place(nodes) == chain.place(0));
      CHECK(chain.place(5 * nodes + 1) == chain.place(1));
      const std::uint64_t far = (std::uint64_t{1} << 40) + 3;
      CHECK(chain.place(far) == chain.place(far % nodes));
    }
  }
}

TEST_CASE("the largest chain keeps its inverse where 32 bits are nearly full") {
  for (const ChainOrder order : {ChainOrder::random, ChainOrder::sequential}) {
    for (const std::uint64_t nodes : {std::uint64_t{1} << 31, (std::uint64_t{1} << 31) - 1, (std::uint64_t{1} << 30) + 1}) {
      CAPTURE(nodes);
      const Chain chain(nodes, order, 3);
      for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{1}, nodes / 2, nodes - 2, nodes - 1}) {
        CHECK(chain.place(position) < nodes);
        CHECK(chain.position(chain.place(position)) == position);
      }
    }
  }
}

TEST_CASE("sequential is node after node") {
  const Chain chain(1000, ChainOrder::sequential, 99);
  bool sequential = true;
  for (std::uint32_t i = 0; i < 1000; ++i) sequential = sequential && chain.place(i) == i && chain.position(i) == i;
  CHECK(sequential);
}

TEST_CASE("a random chain is drawn from its seed, and its steps are not its neighbours") {
  constexpr std::uint32_t kNodes = 100000;
  const auto links = links_of(Chain(kNodes, ChainOrder::random, 1));
  CHECK(links == links_of(Chain(kNodes, ChainOrder::random, 1)));
  std::size_t equal = 0;
  const auto others = links_of(Chain(kNodes, ChainOrder::random, 2));
  for (std::uint32_t node = 0; node < kNodes; ++node) equal += links[node] == others[node] ? 1 : 0;
  CHECK(equal < 20);  // one is expected of two random cycles

  // A prefetcher finds neighbours and repeated distances. Of a random cycle 16 steps in kNodes go at most eight nodes far, either way.
  std::size_t near = 0;
  std::set<std::uint32_t> distances;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    const std::uint32_t distance = links[node] - node;
    if (distance + 8 <= 16) ++near;
    distances.insert(distance);
  }
  CHECK(near < 64);
  CHECK(distances.size() > kNodes / 2);
}

TEST_CASE("a chain of one node or of more than 2^31 is refused") {
  for (const std::uint64_t nodes : {std::uint64_t{0}, std::uint64_t{1}, (std::uint64_t{1} << 31) + 1, ~std::uint64_t{0}}) {
    CHECK_THROWS_AS(Chain(nodes, ChainOrder::random, 0), std::invalid_argument);
  }
}

TEST_CASE("the kernels' words are what place computes with") {
  for (const std::uint64_t nodes : {std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{1000}, std::uint64_t{1} << 20}) {
    CAPTURE(nodes);
    const Chain chain(nodes, ChainOrder::random, 5);
    const auto words = chain.kernel_words();
    REQUIRE(words.size() == 15);
    CHECK(words[0] == nodes);
    CHECK(words[1] == std::bit_ceil(nodes) - 1);
    // The xor-shift is its own inverse from half of the bits on.
    CHECK(2 * words[2] >= static_cast<std::uint32_t>(std::bit_width(nodes - 1)));
    for (std::size_t i = 0; i < 4; ++i) CHECK(words[3 + i] * words[11 + i] == 1);
    // The arithmetic of cl_kernels/chain.cl, spelled once more.
    const auto mix = [&](std::uint32_t x) {
      for (std::size_t i = 0; i < 4; ++i) {
        if (i > 0) x ^= x >> words[2];
        x = (x * words[3 + i] + words[7 + i]) & words[1];
      }
      return x;
    };
    bool equal = true;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      std::uint32_t x = mix(i);
      while (x >= nodes) x = mix(x);
      equal = equal && x == chain.place(i);
    }
    CHECK(equal);
  }
}

TEST_CASE("multiply_add_chain is the loop it stands for") {
  const std::uint32_t multiply = 1664525;
  const std::uint32_t add = 1013904223;
  std::uint32_t x = 12345;
  for (std::uint64_t times = 0; times < 1000; ++times) {
    REQUIRE(multiply_add_chain(12345, multiply, add, times) == x);
    x = x * multiply + add;
  }
  CHECK(multiply_add_chain(3, 5, 7, 0) == 3);
  CHECK(multiply_add_chain(3, 5, 7, 1) == 22);
  CHECK(multiply_add_chain(3, 5, 7, 2) == 117);
  CHECK(multiply_add_chain(0, 1, 1, (std::uint64_t{1} << 40) + 9) == 9);  // counts modulo 2^32
}

}  // namespace
}  // namespace percycle
