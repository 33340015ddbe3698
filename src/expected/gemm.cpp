#include "expected/gemm.hpp"

#include <bit>

#include "core/data_words.hpp"

namespace percycle {

GemmProduct::Hashes GemmProduct::bytes_of(std::uint32_t hash, std::uint32_t values) {
  const auto least = static_cast<std::int32_t>(values / 2);
  Hashes hashes{};
  for (std::uint32_t i = 0; i < kRank; ++i)
    hashes.at(i) = static_cast<std::int32_t>((((hash >> (8 * i)) & 0xff) * values) >> 8) - least;
  return hashes;
}

GemmProduct::Hashes GemmProduct::of_line(std::uint32_t line, std::uint32_t salt) { return bytes_of(lowbias32(line ^ salt), 7); }

GemmProduct::Hashes GemmProduct::of_place(std::uint32_t size, std::uint32_t line, std::uint32_t place, std::uint32_t salt) {
  return bytes_of(lowbias32((line < size ? place : size + place) ^ ~salt), 5);
}

std::int32_t gemm_factor(std::uint32_t size, std::uint32_t salt, std::uint32_t line, std::uint32_t place) {
  const auto of_line = GemmProduct::of_line(line, salt);
  const auto of_place = GemmProduct::of_place(size, line, place, salt);
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < of_line.size(); ++i) sum += of_line.at(i) * of_place.at(i);
  return sum;
}

GemmProduct::GemmProduct(std::uint32_t size, std::uint32_t salt) {
  std::array<Hashes, kRank> over_places{};  // by the hash of the left factor, then of the right one
  for (std::uint32_t place = 0; place < size; ++place) {
    const Hashes left = of_place(size, 0, place, salt);
    const Hashes right = of_place(size, size, place, salt);
    for (std::size_t i = 0; i < kRank; ++i) {
      for (std::size_t j = 0; j < kRank; ++j) over_places.at(i).at(j) += left.at(i) * right.at(j);
    }
  }
  for (std::uint32_t line = 0; line < size; ++line) {
    const Hashes of_row = of_line(line, salt);
    Hashes& row = rows_.emplace_back();
    for (std::size_t i = 0; i < kRank; ++i) {
      for (std::size_t j = 0; j < kRank; ++j) row.at(j) += of_row.at(i) * over_places.at(i).at(j);
    }
    columns_.push_back(of_line(size + line, salt));
  }
}

std::int32_t GemmProduct::value(std::uint32_t row, std::uint32_t column) const {
  const Hashes& left = rows_[row];
  const Hashes& right = columns_[column];
  return left[0] * right[0] + left[1] * right[1] + left[2] * right[2] + left[3] * right[3];
}

std::optional<std::uint32_t> GemmProduct::first_wrong(std::span<const std::uint32_t> words, GemmSums sums,
                                                      std::uint32_t row) const {
  const auto size = static_cast<std::uint32_t>(rows_.size());
  for (std::uint32_t column = 0; column < size; ++column) {
    // NaN is not equal either.
    if (!(gemm_number(words, sums, std::size_t{row} * size + column) == value(row, column))) return column;
  }
  return std::nullopt;
}

double gemm_number(std::span<const std::uint32_t> words, GemmSums sums, std::size_t at) {
  if (sums == GemmSums::fp32) return std::bit_cast<float>(words[at]);
  if (sums == GemmSums::int32) return std::bit_cast<std::int32_t>(words[at]);
  return std::bit_cast<double>(std::uint64_t{words[2 * at + 1]} << 32 | words[2 * at]);
}

}  // namespace percycle
