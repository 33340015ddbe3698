#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/units.hpp"
#include "fake_device.hpp"
#include "sim/sim.hpp"
#include "sim/sim_memory.hpp"
#include "sim_examples.hpp"
#include "test_system.hpp"

namespace percycle::sim::sim_memory_test {
namespace {

constexpr std::uint64_t kAddress = 0x1230000000;

std::vector<ChainImage> images() {
  return {{Chain(1000, ChainOrder::random, 1), {.stride_bytes = 128, .pointers = true}},
          {Chain(1000, ChainOrder::sequential, 1), {.stride_bytes = 4}},
          {Chain(64, ChainOrder::random, 2, 2), {.stride_bytes = 16, .columns = 2, .row_stride_bytes = 4096}},
          {Chain(64, ChainOrder::random, 2), {.stride_bytes = 4096, .columns = 8, .row_stride_bytes = 128, .link_unit = 1}}};
}

TEST_CASE("sim memory: a chain held as a formula reads as the same bytes as a written one") {
  for (const auto& image : images()) {
    const std::uint64_t nodes = image.chain.nodes();
    std::vector<std::byte> plain(image.layout.span(nodes));
    fake::FakeMemory expected(plain);
    expected.hold(image, 0, nodes, kAddress);
    SimMemory memory(plain.size());
    memory.hold(image, 0, nodes / 2, kAddress);
    CHECK(memory.chain() == nullptr);
    memory.hold(image, nodes / 2, nodes - nodes / 2, kAddress);
    REQUIRE(memory.chain() != nullptr);
    CHECK(*memory.chain() == image);
    const auto contents = memory.contents();
    CHECK(std::memcmp(contents.data(), plain.data(), plain.size()) == 0);
    CHECK(memory.chain() != nullptr);  // reading changes nothing
    CHECK(std::memcmp(memory.bytes().data(), plain.data(), plain.size()) == 0);
    CHECK(memory.chain() == nullptr);  // a holder of the bytes may write them
  }
}

TEST_CASE("sim memory: pieces out of order and second chains are written as bytes") {
  const ChainImage first = images()[0];
  ChainImage second = first;
  second.chain = Chain(1000, ChainOrder::random, 9);
  const std::uint64_t span = first.layout.span(1000);
  std::vector<std::byte> plain(span);
  fake::FakeMemory expected(plain);
  SimMemory memory(span);
  for (BoundMemory* each : {static_cast<BoundMemory*>(&expected), static_cast<BoundMemory*>(&memory)}) {
    each->hold(first, 0, 600, kAddress);
    each->hold(first, 600, 100, kAddress + 4096);
    each->hold(second, 0, 300, kAddress);
    each->hold(second, 400, 100, kAddress);
    each->hold(first, 500, 10, kAddress + 4096);
  }
  CHECK(memory.chain() == nullptr);
  CHECK(std::memcmp(memory.bytes().data(), plain.data(), span) == 0);
}

TEST_CASE("sim memory: bytes written before a chain stay between its nodes, bytes written after stay in them") {
  const ChainImage image = images()[0];
  SimMemory memory(image.layout.span(1000));
  std::memset(memory.bytes().data(), 0x55, memory.size());
  memory.hold(image, 0, 1000, kAddress);
  const auto bytes = memory.bytes();
  CHECK(bytes[8] == std::byte{0x55});
  bytes[0] = std::byte{0x77};
  CHECK(memory.contents()[0] == std::byte{0x77});
}

TEST_CASE("sim memory: every change gives it a version that no memory had before, reading does not") {
  const ChainImage image = images()[0];
  SimMemory memory(image.layout.span(1000));
  SimMemory other(image.layout.span(1000));
  std::vector<std::uint64_t> versions;
  for (SimMemory* each : {&memory, &other}) {
    each->bytes();
    versions.push_back(each->version());
    each->hold(image, 0, 500, kAddress);
    versions.push_back(each->version());
    each->hold(image, 500, 500, kAddress);
    versions.push_back(each->version());
    each->contents();
    CHECK(each->version() == versions.back());
  }
  CHECK(std::adjacent_find(versions.begin(), versions.end(), std::greater_equal<>()) == versions.end());
}

TEST_CASE("sim memory: a chain that does not fit is refused") {
  const ChainImage image = images()[0];
  SimMemory least(999 * 128 + 8);
  CHECK_NOTHROW(least.hold(image, 0, 1000, kAddress));
  CHECK_THROWS_AS(least.hold(image, 1, 1000, kAddress), std::logic_error);
  SimMemory less(999 * 128 + 4);
  CHECK_THROWS_AS(less.hold(image, 0, 1000, kAddress), std::logic_error);
}

KernelDesc holding_kernel() {
  return {.name = "hold",
          .definitions = {},
          .local_size = 1,
          .bindings = {{"data", BindingKind::address}},
          .parameters = {},
          .constants = {},
          .subgroup_size = {}};
}

TEST_CASE("sim memory: a held chain of 1 GiB takes no memory of the host") {
  const std::uint64_t before = test_system::peak_memory_kib();
  const auto device = open_sim(examples::small(), "test", test_emulations());
  const auto buffer = device->create(BufferDesc{kGiB});
  const ChainImage image{Chain(kGiB / 128, ChainOrder::random, 1), {.stride_bytes = 128, .pointers = true}};
  test_emulations()["hold"] = [&](const Execution& run, MemoryModel& memory) {
    run.bindings[0]->hold(image, 0, image.chain.nodes(), run.addresses[0]);
    REQUIRE(run.bindings[0]->chain() != nullptr);
    const Walk walk{{}, MemoryPath::global, 0, *run.bindings[0]->chain(), 0, 0, 1'000'000};
    memory.walk({&walk, 1});
  };
  const KernelDesc desc = holding_kernel();
  CHECK(device->run({device->create(desc), {{buffer, nullptr}}, {}, 1}).device_ns == 4000 + 6e8);
  CHECK(test_system::peak_memory_kib() - before < 64 * 1024);
}

TEST_CASE("sim memory: the host reads a held chain, and a write forgets it") {
  const auto device = open_sim(examples::small(), "test", test_emulations());
  const ChainImage image = images()[0];
  const auto buffer = device->create(BufferDesc{image.layout.span(1000)});
  bool known = false;
  const auto run = [&](bool hold) {
    test_emulations()["hold"] = [&image, &known, hold](const Execution& on, MemoryModel&) {
      if (hold) on.bindings[0]->hold(image, 0, 1000, on.addresses[0]);
      known = on.bindings[0]->chain() != nullptr;
    };
    device->run({device->create(holding_kernel()), {{buffer, nullptr}}, {}, 1});
    return known;
  };
  CHECK(run(true));
  std::uint64_t link = 0;
  const std::uint64_t start = image.layout.offset(image.chain.place(0));
  device->read(*buffer, start, std::as_writable_bytes(std::span(&link, 1)));
  CHECK(link == image.link_to(1, *device->address(*buffer)));
  CHECK(run(false));
  device->write(*buffer, 0, std::as_bytes(std::span(&link, 1)));
  CHECK_FALSE(run(false));
}

TEST_CASE("sim memory: a chain that the host wrote is recognised from any of its nodes") {
  const ChainLayout rows{.stride_bytes = 64, .columns = 8, .row_stride_bytes = 1024};
  for (const ChainImage& image : {ChainImage{Chain(64, ChainOrder::random, 5), {.stride_bytes = 64}},
                                  ChainImage{Chain(64, ChainOrder::sequential, 5), {.stride_bytes = 128}},
                                  ChainImage{Chain(64, ChainOrder::random, 5), rows}}) {
    const std::uint64_t base = 4096;
    SimMemory memory(base + image.layout.span(64));
    const BoundChain written{image, base};
    for (std::uint64_t position = 0; position < 64; ++position) {
      const std::uint32_t link = written.link_to(position + 1);
      std::memcpy(memory.bytes().data() + base + image.layout.offset(image.chain.place(position)), &link, sizeof link);
    }
    const BoundChain found = memory.chain_through(written.link_to(0), 4);
    CHECK(found.base == base);
    CHECK(found.image.layout == image.layout);
    CHECK(found.image.chain.order() == image.chain.order());
    REQUIRE(found.image.chain.nodes() == 64);
    for (std::uint64_t position = 0; position < 130; ++position) {
      CHECK(found.link_to(position) == written.link_to(position));
      CHECK(found.position_of(found.link_to(position)) == position % 64);
    }
    // Remembered as long as nothing is written: positions count from the first request.
    CHECK(memory.chain_through(written.link_to(7), 4).position_of(written.link_to(7)) == 7);
    memory.bytes();
    CHECK(memory.chain_through(written.link_to(7), 4).position_of(written.link_to(7)) == 0);
  }
}

TEST_CASE("sim memory: links that are no chain of evenly placed nodes are refused") {
  const auto refused = [](const std::vector<std::uint32_t>& words) {
    SimMemory memory(words.size() * sizeof words[0]);
    std::memcpy(memory.bytes().data(), words.data(), words.size() * sizeof words[0]);
    CHECK_THROWS_AS(memory.chain_through(0, 4), std::invalid_argument);
  };
  refused({4, 0, 0, 0});  // out of the memory
  refused({1, 1, 0, 0});  // never back to where it began
  refused({0, 0, 0, 0});  // one node
  // Words 0, 1, 2, 4, 5 and 7: the last is not at a third of its row.
  refused({1, 2, 4, 0, 5, 7, 0, 0});
}

}  // namespace
}  // namespace percycle::sim::sim_memory_test
