// The end of the dependent-ALU chain on every device of both APIs, and on the host.
#include "measure/alu_chain.hpp"
#include "expected/alu_chain.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "every_device.hpp"

namespace percycle::alu_chain_test {
namespace {

constexpr std::uint32_t kLanes = 32;

/// Step by step; any addend and any mask.
std::uint32_t walked(std::uint32_t x, std::uint32_t add, std::uint32_t mask, std::uint64_t pairs) {
  for (std::uint64_t i = 0; i < pairs; ++i) x = (x + add) & mask;
  return x;
}

TEST_CASE("parity: every lane of the ALU chain ends where each of its operations takes it") {
  on_every_device([](Device& device) {
    for (const std::uint32_t pairs : {128u, 256u}) {
      const auto ends = device.create(BufferDesc{kLanes * sizeof(std::uint32_t)});
      const auto kernel = device.create(alu_chain_kernel(kLanes, pairs));
      // The second mask has holes that detect a skipped operation at any place.
      for (const auto& pair : {std::pair{kAluChainAdd, kAluChainMask}, std::pair{0x01234567u, 0xf7df7bddu}}) {
        const auto& add = pair.first;
        const auto& mask = pair.second;
        for (const std::uint32_t loops : {0u, 1u, 2u, 100u}) {
          CAPTURE(pairs);
          CAPTURE(mask);
          CAPTURE(loops);
          device.run({kernel, {{ends, nullptr}}, {{"loops", loops}, {"start", 77}, {"add", add}, {"mask", mask}}, 1});
          std::vector<std::uint32_t> got(kLanes);
          device.read(*ends, 0, std::as_writable_bytes(std::span(got)));
          for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            CHECK(got[lane] == walked(77 + lane, add, mask, std::uint64_t{loops} * pairs));
            if (mask == kAluChainMask) CHECK(got[lane] == alu_chain_end(77 + lane, std::uint64_t{loops} * pairs));
          }
        }
      }
    }
  });
}

TEST_CASE("the ALU chain runs, is verified and takes time on every device; on the host by its emulation") {
  on_every_device([](Device& device) {
    AluChain chain(device);
    // On a CPU other work can make the shorter form take longer, but not every time.
    bool any = false;
    for (int i = 0; i < 10 && !any; ++i) any = chain.run().has_value();
    CHECK(any);

    fake::Script script;
    script.info = device.info();
    script.operation_ns = 3;
    fake::FakeDevice host(script);
    AluChain emulation(host);
    const auto by_emulation = emulation.run();
    REQUIRE(by_emulation);
    CHECK(by_emulation->ns == 3 * static_cast<double>(by_emulation->ops));
  });
}

}  // namespace
}  // namespace percycle::alu_chain_test
