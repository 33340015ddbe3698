#include "expected/matrix_stream.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "expected/half.hpp"

namespace percycle::matrix_stream_test {
namespace {

TEST_CASE("matrix stream: factors are small, not 0, and cancel but for one number of a row") {
  const MatrixFactors factors = matrix_factors(16, 8, 16, {});
  REQUIRE(factors.first.size() == 256);
  REQUIRE(factors.second.size() == 256);
  REQUIRE(factors.right.size() == 128);
  for (const auto* numbers : {&factors.first, &factors.right}) {
    for (const int number : *numbers) CHECK((number != 0 && std::abs(number) <= 3));
    CHECK(std::set<int>(numbers->begin(), numbers->end()).size() == 6);
  }
  for (std::size_t row = 0; row < 16; ++row) {
    int rest = 0;
    for (std::size_t k = 0; k < 16; ++k) rest += std::abs(factors.first[16 * row + k] + factors.second[16 * row + k]);
    CHECK(rest == 1);
  }
}

TEST_CASE("matrix stream: slow factors cancel but for the last product, unsigned ones are positive") {
  const MatrixFactors slow = matrix_factors(16, 8, 16, {.is_slow = true});
  const MatrixFactors quick = matrix_factors(16, 8, 16, {});
  CHECK(slow.last == quick.last);
  CHECK(quick.second == quick.last);
  for (std::size_t i = 0; i < slow.first.size(); ++i) CHECK(slow.second[i] == -slow.first[i]);
  const MatrixFactors positive = matrix_factors(16, 8, 32, {.is_signed = false});
  CHECK(positive.first != positive.second);
  for (const auto* numbers : {&positive.first, &positive.second, &positive.last, &positive.right})
    CHECK(std::set<int>(numbers->begin(), numbers->end()) == std::set<int>{1, 2, 3});
}

TEST_CASE("matrix stream: results equal the products one by one") {
  constexpr std::uint32_t kChains = 3;
  constexpr int kTurns = 2;
  constexpr std::uint32_t kPairs = 5;
  for (const MatrixNumbers numbers : {MatrixNumbers{}, MatrixNumbers{.is_slow = true}, MatrixNumbers{.is_signed = false}}) {
    const MatrixFactors factors = matrix_factors(4, 2, 8, numbers);
    std::vector<const std::vector<int>*> lefts;
    for (std::uint32_t pair = 1; pair <= kPairs; ++pair) {
      lefts.push_back(&factors.first);
      lefts.push_back(pair < kPairs ? &factors.second : &factors.last);
    }
    std::vector<double> sums(8);
    for (std::uint32_t chain = 1; chain <= kChains; ++chain) {
      for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t column = 0; column < 2; ++column) {
          double sum = chain;
          for (int turn = 0; turn < kTurns; ++turn) {
            for (const auto* left : lefts) {
              for (std::size_t k = 0; k < 8; ++k) sum += (*left)[8 * row + k] * factors.right[8 * column + k];
            }
          }
          sums[2 * row + column] += sum;
        }
      }
    }
    CHECK(matrix_results(factors, kChains, kTurns, kPairs) == sums);
    CHECK(matrix_results(factors, kChains, 0, kPairs) == std::vector<double>(8, 6));
  }
}

TEST_CASE("matrix stream: numbers have the bits of their format") {
  const auto bits = [](const char* format, int number) {
    std::uint64_t word = 0;
    const auto bytes = encode_numbers(std::array{number}, format);
    for (std::size_t i = 0; i < bytes.size(); ++i) word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    return word;
  };
  for (const int number : {-4, -3, -1, 0, 1, 2, 3, 4}) {
    CAPTURE(number);
    CHECK(bits("fp16", number) == nearest_half(number).bits);
    CHECK(bits("bf16", number) == std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16u);
    CHECK(bits("tf32", number) == std::bit_cast<std::uint32_t>(static_cast<float>(number)));
    CHECK(bits("fp64", number) == std::bit_cast<std::uint64_t>(static_cast<double>(number)));
    CHECK(bits("fp8_e5m2", number) == nearest_half(number).bits >> 8u);
    CHECK(bits("sint8", number) == static_cast<std::uint8_t>(number));
  }
  // OCP 8-bit Floating Point Specification, E4M3: bias 7.
  CHECK(bits("fp8_e4m3", 1) == 0x38);
  CHECK(bits("fp8_e4m3", 3) == 0x44);
  CHECK(bits("fp8_e4m3", -4) == 0xc8);
  CHECK(encode_numbers(std::array{1, 2, 3}, "uint8") == std::vector{std::byte{1}, std::byte{2}, std::byte{3}});
  CHECK_THROWS_AS(encode_numbers(std::array{1}, "fp4"), std::invalid_argument);
}

TEST_CASE("matrix stream: a pair of products changes a sum by at most 3, and most of them") {
  for (const std::uint32_t columns : {8u, 16u}) {
    const auto once = matrix_results(matrix_factors(16, columns, 16, {}), 1, 1, 1);
    for (const double sum : once) CHECK((sum != 1 && std::abs(sum - 1) <= kMostMatrixGrowth));
  }
}

}  // namespace
}  // namespace percycle::matrix_stream_test
