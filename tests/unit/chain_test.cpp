#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/chain.hpp"
#include "expected/multiply_add.hpp"

namespace percycle::chain_test {
namespace {

/// The next link of every node, as a kernel would write it.
std::vector<std::uint32_t> links_of(const Chain& chain) {
  std::vector<std::uint32_t> links(chain.nodes());
  for (std::uint32_t node = 0; node < chain.nodes(); ++node) links[node] = chain.place(std::uint64_t{chain.position(node)} + 1);
  return links;
}

/// The number of steps from `start` back to it; 0 if the walk is longer than the chain or leaves
/// it.
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
  CHECK(equal < 20);  // one is expected for two random cycles

  // A prefetcher finds neighbours and repeated distances. In a random cycle of kNodes 16 steps go
  // at most eight nodes far, in either direction.
  std::size_t close_pairs = 0;
  std::set<std::uint32_t> distances;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    const std::uint32_t distance = links[node] - node;
    if (distance + 8 <= 16) ++close_pairs;
    distances.insert(distance);
  }
  CHECK(close_pairs < 64);
  CHECK(distances.size() > kNodes / 2);
}

TEST_CASE("a chain of one node or of more than 2^31 is refused") {
  for (const std::uint64_t nodes : {std::uint64_t{0}, std::uint64_t{1}, (std::uint64_t{1} << 31) + 1, ~std::uint64_t{0}}) {
    CHECK_THROWS_AS(Chain(nodes, ChainOrder::random, 0), std::invalid_argument);
  }
}

TEST_CASE("kernels get the numbers that place computes with") {
  for (const std::uint64_t nodes : {std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{1000}, std::uint64_t{1} << 20}) {
    for (const std::uint64_t group : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{8}}) {
      if (nodes % group != 0) continue;
      CAPTURE(nodes);
      CAPTURE(group);
      const Chain chain(nodes, ChainOrder::random, 5, group);
      const ChainArithmetic& words = chain.arithmetic();
      CHECK(words.groups == nodes / group);
      CHECK(words.group == group);
      CHECK(words.outer.mask == std::bit_ceil(nodes / group) - 1);
      CHECK(words.inner.mask == group - 1);
      // The xor-shift is its own inverse from half of the bits on.
      CHECK(2 * words.outer.shift >= static_cast<std::uint32_t>(std::bit_width(nodes / group - 1)));
      for (std::size_t i = 0; i < 4; ++i) CHECK(words.multiply[i] * words.inverse[i] == 1);
      // The arithmetic of cl_kernels/chain.cl, written again.
      const auto mix = [&](std::uint32_t x, std::uint32_t mask, std::uint32_t shift) {
        for (std::size_t i = 0; i < 4; ++i) {
          if (i > 0) x ^= x >> shift;
          x = (x * words.multiply[i] + words.add[i]) & mask;
        }
        return x;
      };
      bool equal = true;
      for (std::uint32_t i = 0; i < nodes; ++i) {
        std::uint32_t x = mix(i / words.group, words.outer.mask, words.outer.shift);
        while (x >= words.groups) x = mix(x, words.outer.mask, words.outer.shift);
        equal = equal && x * words.group + mix(i % words.group, words.inner.mask, words.inner.shift) == chain.place(i);
      }
      CHECK(equal);
    }
  }
}

TEST_CASE("a grouped chain is one cycle that stays in a group until it has seen all of it") {
  for (const std::uint64_t group : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{4}, std::uint64_t{64}}) {
    for (const std::uint64_t groups : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{64}, std::uint64_t{1001}}) {
      if (groups * group < 2) continue;
      CAPTURE(group);
      CAPTURE(groups);
      const Chain chain(groups * group, ChainOrder::random, 9, group);
      CHECK(chain.nodes() == groups * group);
      CHECK(chain.group() == group);
      CHECK(cycle_length(links_of(chain), 0) == groups * group);
      bool together = true;
      for (std::uint64_t i = 0; i < chain.nodes(); ++i) {
        together =
            together && chain.place(i) / group == chain.place(i / group * group) / group && chain.position(chain.place(i)) == i;
      }
      CHECK(together);
    }
  }
  CHECK_THROWS_AS(Chain(9, ChainOrder::random, 1, 3), std::invalid_argument);
  CHECK_THROWS_AS(Chain(9, ChainOrder::random, 1, 2), std::invalid_argument);
  CHECK_THROWS_AS(Chain(9, ChainOrder::random, 1, 0), std::invalid_argument);
}

TEST_CASE("a layout in rows knows where its nodes lie, and back") {
  const ChainLayout plain{.stride_bytes = 128};
  CHECK(plain.offset(5) == 640);
  CHECK(plain.span(10) == 1280);
  CHECK(plain.node_at(640) == 5);
  // Eight lines of every page.
  const ChainLayout blocks{.stride_bytes = 64, .columns = 8, .row_stride_bytes = 4096};
  CHECK(blocks.offset(7) == 448);
  CHECK(blocks.offset(8) == 4096);
  CHECK(blocks.offset(19) == 2 * 4096 + 3 * 64);
  CHECK(blocks.span(20) == 7 * 64 + 2 * 4096 + 64);
  const ChainLayout pages{// Page after page, then the next line of each.
                          .stride_bytes = 65536,
                          .columns = 5,
                          .row_stride_bytes = 128};
  CHECK(pages.offset(4) == 4 * 65536);
  CHECK(pages.offset(5) == 128);
  CHECK(pages.offset(14) == 4 * 65536 + 2 * 128);
  CHECK(pages.span(15) == 4 * 65536 + 2 * 128 + 128);
  for (const auto& layout : {plain, blocks, pages}) {
    for (std::uint64_t node = 0; node < 40; ++node) CHECK(layout.node_at(layout.offset(node)) == node);
  }
}

TEST_CASE("an image's links lead along the chain, as addresses and as numbers") {
  for (const bool pointers : {true, false}) {
    const ChainImage image{Chain(30, ChainOrder::random, 4, 2),
                           {.stride_bytes = 64, .columns = 10, .row_stride_bytes = 1024, .pointers = pointers, .link_unit = 4}};
    for (std::uint64_t position = 0; position < 30; ++position) {
      const std::uint64_t link = image.link_to(position, 0x7000);
      CHECK(image.position_of(link, 0x7000) == position);
      const std::uint64_t offset = image.layout.offset(image.chain.place(position));
      CHECK(link == (pointers ? 0x7000 + offset : offset / 4));
    }
  }
}

TEST_CASE("a chain in an image links to texels: the column, and the row in the upper half") {
  const ChainImage image{Chain(24, ChainOrder::random, 4),
                         {.stride_bytes = 32, .columns = 4, .row_stride_bytes = 4 * 16 * 8, .texel_step = 4}};
  for (std::uint64_t position = 0; position < 24; ++position) {
    const std::uint64_t node = image.chain.place(position);
    const std::uint64_t link = image.link_to(position, 0x7000);
    CHECK(link % 65536 == node % 4 * 4);
    CHECK(link / 65536 == node / 4 * 4);
    CHECK(image.position_of(link, 0x7000) == position);
    CHECK(image.layout.offset(node) == (link / 65536 * 16 + link % 65536) * 8);
  }
}

TEST_CASE("multiply_add_chain equals the loop it replaces") {
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

TEST_CASE("a chain can be rebuilt from its kernels' parameters") {
  for (const Chain& chain : {Chain(1000, ChainOrder::random, 3), Chain(1000, ChainOrder::sequential, 3),
                             Chain(1024, ChainOrder::random, 3, 16), Chain(2, ChainOrder::random, 3)}) {
    CHECK(Chain(chain.arithmetic()) == chain);
  }
}

TEST_CASE("a listed chain visits its nodes in their order") {
  const Chain chain = Chain::listed({2, 0, 3, 1});
  CHECK(chain.nodes() == 4);
  CHECK(chain.order() == ChainOrder::random);
  for (const std::uint64_t position : {0, 1, 2, 3}) CHECK(chain.position(chain.place(position)) == position);
  CHECK(chain.place(6) == 3);
  CHECK(Chain::listed({0, 1, 2}).order() == ChainOrder::sequential);
  CHECK(chain == Chain::listed({2, 0, 3, 1}));
  CHECK_FALSE(chain == Chain::listed({2, 3, 0, 1}));
  CHECK_FALSE(Chain::listed({0, 1, 2, 3}) == Chain(4, ChainOrder::sequential, 1));
}

}  // namespace
}  // namespace percycle::chain_test
