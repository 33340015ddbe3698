#include "experiments/bandwidth/parts/chunk_sums.hpp"
#include "device/values.hpp"

#include <algorithm>

namespace percycle {
namespace {

constexpr std::uint32_t kSumGroupSize = 64;
const std::vector<KernelParameter> kChunkSumsParameters{
    {"words", "words per chunk"}, {"channels", "1, 2 or 4"}, {"chunks", ""}, {"salt", ""}};
constexpr std::uint32_t kReckonedAgain = 64;

std::uint32_t chunk_sum(const DataWords& data, std::uint32_t chunk, std::uint32_t words, std::uint32_t channels) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < words; ++i) sum += (2 * (i % channels) + 1) * data.word(std::uint64_t{chunk} * words + i);
  return sum;
}

}  // namespace

ChunkSums::ChunkSums(Device& device, const DataWords& data, std::uint32_t chunks, std::uint32_t words, std::uint32_t channels)
    : data_(data), chunks_(chunks), words_(words), channels_(channels) {
  sums_ = device.create(BufferDesc{std::uint64_t{chunks} * sizeof(std::uint32_t)});
  const auto kernel = device.create(
      KernelDesc{.name = "chunk_sums", .local_size = kSumGroupSize, .bindings = {{"sums"}}, .parameters = kChunkSumsParameters});
  setup_ = {kernel,
            {{sums_, nullptr}},
            {{"words", words}, {"channels", channels}, {"chunks", chunks}, {"salt", data.salt()}},
            (chunks + kSumGroupSize - 1) / kSumGroupSize};
}

std::vector<std::uint32_t> ChunkSums::values(Device& device) const {
  const auto sums = read_values<std::uint32_t>(device, *sums_, chunks_);
  const std::uint32_t step = std::max(chunks_ / kReckonedAgain, 1u);
  for (std::uint32_t chunk = 0; chunk < chunks_; chunk += step) {
    if (sums[chunk] != chunk_sum(data_, chunk, words_, channels_)) return {};
  }
  if (sums.back() != chunk_sum(data_, chunks_ - 1, words_, channels_)) return {};
  return sums;
}

}  // namespace percycle
