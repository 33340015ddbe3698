#include "expected/matrix_stream.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace percycle {
namespace {

TEST_CASE("matrix stream: factors are small, not 0, and cancel but for one number of a row") {
  const MatrixFactors factors = matrix_factors(16, 8, 16);
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

TEST_CASE("matrix stream: results are those of the products one by one") {
  const MatrixFactors factors = matrix_factors(4, 2, 8);
  constexpr std::uint32_t kChains = 3;
  constexpr int kPairs = 5;
  std::vector<double> sums(8);
  for (std::uint32_t chain = 1; chain <= kChains; ++chain) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t column = 0; column < 2; ++column) {
        double sum = chain;
        for (int pair = 0; pair < kPairs; ++pair) {
          for (const auto* left : {&factors.first, &factors.second}) {
            for (std::size_t k = 0; k < 8; ++k) sum += (*left)[8 * row + k] * factors.right[8 * column + k];
          }
        }
        sums[2 * row + column] += sum;
      }
    }
  }
  CHECK(matrix_results(factors, kChains, kPairs) == sums);
  CHECK(matrix_results(factors, kChains, 0) == std::vector<double>(8, 6));
}

TEST_CASE("matrix stream: a pair of products changes a sum by at most 3, and most of them") {
  for (const std::uint32_t columns : {8u, 16u}) {
    const auto once = matrix_results(matrix_factors(16, columns, 16), 1, 1);
    for (const double sum : once) CHECK((sum != 1 && std::abs(sum - 1) <= kMostMatrixGrowth));
  }
}

}  // namespace
}  // namespace percycle
