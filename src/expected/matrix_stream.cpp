#include "expected/matrix_stream.hpp"

#include "core/random.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kSeed = 20;
constexpr std::uint32_t kMost = 3;  // of a factor's numbers

}  // namespace

MatrixFactors matrix_factors(std::uint32_t rows, std::uint32_t columns, std::uint32_t depth) {
  SplitMix64 random(kSeed);
  const auto sign = [&] { return random() % 2 == 0 ? 1 : -1; };
  const auto number = [&] { return sign() * static_cast<int>(1 + random() % kMost); };
  MatrixFactors factors{rows, columns, depth, {}, {}, {}};
  for (std::uint32_t i = 0; i < rows * depth; ++i) {
    factors.first.push_back(number());
    factors.second.push_back(-factors.first.back());
  }
  for (std::uint32_t row = 0; row < rows; ++row) factors.second[std::size_t{row} * depth + random() % depth] += sign();
  for (std::uint32_t i = 0; i < depth * columns; ++i) factors.right.push_back(number());
  return factors;
}

std::vector<double> matrix_results(const MatrixFactors& factors, std::uint32_t chains, std::uint64_t pairs) {
  const std::uint32_t begin = chains * (chains + 1) / 2;
  std::vector<double> results;
  for (std::uint32_t row = 0; row < factors.rows; ++row) {
    for (std::uint32_t column = 0; column < factors.columns; ++column) {
      int growth = 0;
      for (std::uint32_t k = 0; k < factors.depth; ++k) {
        const std::uint32_t left = row * factors.depth + k;
        growth += (factors.first[left] + factors.second[left]) * factors.right[column * factors.depth + k];
      }
      results.push_back(begin + static_cast<double>(pairs) * chains * growth);
    }
  }
  return results;
}

}  // namespace percycle
