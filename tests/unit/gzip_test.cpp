#include "store/gzip.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>

namespace percycle::gzip_test {
namespace {

/// Unpacks with a source that gives so many bytes at once.
std::string unpacked(std::string_view packed, std::size_t at_once, std::string& damage) {
  Gunzip gunzip([&](std::span<char> bytes) {
    const std::size_t count = packed.substr(0, at_once).copy(bytes.data(), bytes.size());
    packed.remove_prefix(count);
    return count;
  });
  std::string text;
  std::array<char, 1000> buffer{};
  while (const std::size_t count = gunzip.read(buffer)) text.append(buffer.data(), count);
  damage = gunzip.damage();
  return text;
}

std::string random_text(std::size_t size) {
  std::mt19937 random(1);
  std::string text(size, '\0');
  std::generate(text.begin(), text.end(), [&] { return static_cast<char>(random() % 256); });
  return text;
}

TEST_CASE("text comes back as it was, however the packed bytes arrive") {
  for (const std::string& text : {std::string(), std::string("a"), std::string(300'000, 'x'), random_text(300'000)}) {
    for (const std::size_t at_once : {1, 7, 65'536, 1 << 20}) {
      std::string damage;
      CHECK(unpacked(gzip(text), at_once, damage) == text);
      CHECK(damage.empty());
      CHECK(unpacked(gzip(text) + gzip("") + gzip(text), at_once, damage) == text + text);
      CHECK(damage.empty());
    }
  }
}

TEST_CASE("no bit of a packed text changes its content unnoticed") {
  const std::string text = "a line\nand one more line\n";
  const std::string packed = gzip(text);
  for (std::size_t bit = 0; bit < 8 * packed.size(); ++bit) {
    CAPTURE(bit);
    std::string changed = packed;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    std::string damage;
    const std::string got = unpacked(changed, changed.size(), damage);
    CHECK((got == text || !damage.empty()));
  }
}

}  // namespace
}  // namespace percycle::gzip_test
