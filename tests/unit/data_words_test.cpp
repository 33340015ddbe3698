#include "core/data_words.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "core/units.hpp"
#include "experiments/common/fill.hpp"
#include "fake_device.hpp"

namespace percycle::data_words_test {
namespace {

TEST_CASE("data words: the published hash, and one stream of words to a seed") {
  // Computed by hand with the published steps: 1 -> * 0x7feb352d -> ^ >> 15 -> * 0x846ca68b -> ^ >>
  // 16.
  static_assert(lowbias32(0) == 0);
  constexpr std::uint32_t kAfterFirst = 0x7feb352du ^ (0x7feb352du >> 15);
  constexpr std::uint32_t kAfterSecond = kAfterFirst * 0x846ca68bu;
  static_assert(lowbias32(1) == (kAfterSecond ^ (kAfterSecond >> 16)));
  CHECK(DataWords(1).word(0) != DataWords(2).word(0));
  CHECK(DataWords(1).word(7) != DataWords(std::uint64_t{1} << 32 | 1).word(7));
  CHECK(DataWords(5).word(9) == DataWords(5).word(9 + (std::uint64_t{1} << 32)));
}

TEST_CASE("data words: no two alike, and half of the bits set") {
  const DataWords words(20261121);
  std::vector<std::uint32_t> all(1 << 16);
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    all[i] = words.word(i);
    bits += static_cast<std::uint64_t>(std::popcount(all[i]));
  }
  std::sort(all.begin(), all.end());
  CHECK(std::unique(all.begin(), all.end()) == all.end());
  CHECK(bits == doctest::Approx(16.0 * (1 << 16)).epsilon(0.01));
}

TEST_CASE("data words: a fill covers the buffer to its last word, in as many pieces as it takes") {
  fake::FakeDevice fake(fake::Script{});
  Device& device = fake;
  const DataWords words(3);
  for (const std::uint64_t bytes : {std::uint64_t{4}, std::uint64_t{16380}, std::uint64_t{16388}, 64 * kMiB + 20}) {
    CAPTURE(bytes);
    const auto buffer = device.create(BufferDesc{bytes});
    const auto pieces = fill(device, buffer, words);
    CHECK(pieces.size() == (bytes > 64 * kMiB ? 2 : 1));
    CHECK(pieces.back().groups == (bytes == 16388 ? 2 : 1));
    for (const auto& piece : pieces) device.run(piece);
    std::vector<std::uint32_t> found(bytes / 4);
    device.read(*buffer, 0, std::as_writable_bytes(std::span(found)));
    bool right = true;
    for (std::uint64_t i = 0; i < found.size(); ++i) right = right && found[i] == words.word(i);
    CHECK(right);
  }
}

/// More than any test machine has.
struct Huge final : Buffer {
  std::uint64_t bytes() const override { return 17 * kGiB; }
};

TEST_CASE("data words: a fill beyond 2^32 words says where each piece begins") {
  fake::FakeDevice device(fake::Script{});
  const auto pieces = fill(device, std::make_shared<Huge>(), DataWords(3));
  REQUIRE(pieces.size() == 272);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& parameters = pieces[i].parameters;
    CHECK((parameters.at("first_low").word() | std::uint64_t{parameters.at("first_high").word()} << 32) == i << 24);
  }
}

}  // namespace
}  // namespace percycle::data_words_test
