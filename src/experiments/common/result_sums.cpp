#include "experiments/common/result_sums.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/units.hpp"
#include "device/values.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "platform/all_cores.hpp"

namespace percycle {
namespace {

const std::vector<KernelParameter> kResultSumsParameters{{"arrays", ""}, {"stride", "words from one array to the next"}};

}  // namespace

ResultSums::ResultSums(Device& device, const ResultWords& shape, std::shared_ptr<Buffer> words) {
  const std::uint32_t blocks = shape.words / kResultBlock;
  const auto kernel = device.create(KernelDesc{
      .name = "result_sums", .local_size = kResultBlock, .bindings = {{"words"}, {"sums"}}, .parameters = kResultSumsParameters});
  sums_ = device.create(BufferDesc{blocks * sizeof(std::uint32_t)});
  adding_ = {
      kernel, {{std::move(words), nullptr}, {sums_, nullptr}}, {{"arrays", shape.arrays}, {"stride", shape.stride}}, blocks};
}

std::vector<std::uint32_t> ResultSums::operator()(Device& device) const {
  device.run(adding_);
  const auto sums = read_values<std::uint32_t>(device, *sums_, adding_.groups);
  return sums;
}

std::vector<std::uint32_t> result_sums(const ResultWords& shape, std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> sums(shape.words / kResultBlock);
  on_all_cores(sums.size(), [&](std::size_t block) {
    for (std::uint32_t array = 0; array < shape.arrays; ++array) {
      const auto part = words.subspan(std::size_t{array} * shape.stride + block * kResultBlock, kResultBlock);
      for (std::uint32_t i = 0; i < kResultBlock; ++i) sums[block] += (2 * array + 1) * (2 * i + 1) * part[i];
    }
  });
  return sums;
}

std::optional<std::string> result_unsupported(const DeviceInfo& device, const ResultWords& shape) {
  if (auto reason = group_unsupported(device, kResultBlock, {})) return reason;
  if (shape.words / kResultBlock > device.max_groups)
    return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  const std::uint64_t bytes = std::uint64_t{shape.arrays} * shape.stride * sizeof(std::uint32_t);
  if (const std::uint64_t most = chase_capacity(device, "global-index"); bytes > most)
    return fmt::format("a storage buffer holds at most {}", format_bytes(most));
  return std::nullopt;
}

}  // namespace percycle
