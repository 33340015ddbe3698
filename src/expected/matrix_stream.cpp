#include "expected/matrix_stream.hpp"

#include <bit>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

#include "core/random.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kSeed = 20;
constexpr std::uint32_t kMost = 3;  // of a factor's numbers

/// A number format: bits of exponent and mantissa; without an exponent an integer.
struct NumberFormat {
  std::uint32_t bits;
  std::uint32_t exponent = 0;
  std::uint32_t mantissa = 0;
};

NumberFormat format_called(std::string_view name) {
  // tf32 is kept as fp32.
  static const std::map<std::string_view, NumberFormat> formats{
      {"fp16", {16, 5, 10}},   {"bf16", {16, 8, 7}},    {"tf32", {32, 8, 23}}, {"fp64", {64, 11, 52}},
      {"fp8_e4m3", {8, 4, 3}}, {"fp8_e5m2", {8, 5, 2}}, {"sint8", {8}},        {"uint8", {8}}};
  const auto found = formats.find(name);
  if (found == formats.end()) throw std::invalid_argument("there is no number format " + std::string(name));
  return found->second;
}

/// IEEE 754: sign, biased exponent and fraction; the same for narrower formats.
std::uint64_t bits_of(int number, const NumberFormat& format) {
  if (format.exponent == 0) return static_cast<std::uint64_t>(number);
  if (number == 0) return 0;
  const auto size = static_cast<std::uint32_t>(std::abs(number));
  const auto exponent = static_cast<std::uint32_t>(std::bit_width(size)) - 1;
  const std::uint64_t fraction = (std::uint64_t{size - (1u << exponent)} << format.mantissa) >> exponent;
  const std::uint64_t biased = exponent + (1u << (format.exponent - 1)) - 1;
  return std::uint64_t{number < 0} << (format.bits - 1) | biased << format.mantissa | fraction;
}

}  // namespace

MatrixFactors matrix_factors(std::uint32_t rows, std::uint32_t columns, std::uint32_t depth, MatrixNumbers numbers) {
  SplitMix64 random(kSeed);
  const auto sign = [&] { return random() % 2 == 0 ? 1 : -1; };
  const auto number = [&] { return (numbers.is_signed ? sign() : 1) * static_cast<int>(1 + random() % kMost); };
  MatrixFactors factors{rows, columns, depth, {}, {}, {}, {}};
  for (std::uint32_t i = 0; i < rows * depth; ++i) {
    factors.first.push_back(number());
    factors.second.push_back(numbers.is_signed ? -factors.first.back() : number());
  }
  factors.last = factors.second;
  for (std::uint32_t row = 0; row < rows && numbers.is_signed; ++row)
    factors.last[std::size_t{row} * depth + random() % depth] += sign();
  if (!numbers.is_slow) factors.second = factors.last;
  for (std::uint32_t i = 0; i < depth * columns; ++i) factors.right.push_back(number());
  return factors;
}

std::vector<double> matrix_results(const MatrixFactors& factors, std::uint32_t chains, std::uint64_t turns, std::uint32_t pairs) {
  const std::uint32_t begin = chains * (chains + 1) / 2;
  std::vector<double> results;
  for (std::uint32_t row = 0; row < factors.rows; ++row) {
    for (std::uint32_t column = 0; column < factors.columns; ++column) {
      double growth = 0;  // of a turn
      for (std::uint32_t k = 0; k < factors.depth; ++k) {
        const std::uint32_t left = row * factors.depth + k;
        const double sum = pairs * static_cast<double>(factors.first[left]) +
                           (pairs - 1) * static_cast<double>(factors.second[left]) + factors.last[left];
        growth += sum * factors.right[column * factors.depth + k];
      }
      results.push_back(begin + static_cast<double>(turns) * chains * growth);
    }
  }
  return results;
}

std::vector<std::byte> encode_numbers(std::span<const int> numbers, std::string_view format) {
  const NumberFormat layout = format_called(format);
  std::vector<std::byte> bytes;
  for (const int number : numbers) {
    const std::uint64_t bits = bits_of(number, layout);
    for (std::uint32_t at = 0; at < layout.bits; at += 8) bytes.push_back(static_cast<std::byte>(bits >> at & 0xffu));
  }
  return bytes;
}

}  // namespace percycle
