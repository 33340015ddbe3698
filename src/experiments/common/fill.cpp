#include "experiments/common/fill.hpp"

#include <algorithm>

#include "experiments/common/grouped_kernel.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kMostOfFillGroup = 256;
constexpr std::uint32_t kWordsPerItem = 16;
constexpr std::uint64_t kWordsPerDispatch = 1u << 24;  // 64 MiB: far below any watchdog or limit

const std::vector<KernelParameter> kFillParameters{{"first_low", "word of the buffer this dispatch begins at, low and high half"},
                                                   {"first_high", ""},
                                                   {"count", "words to write"},
                                                   {"salt", ""}};

}  // namespace

std::vector<Dispatch> fill(Device& device, const std::shared_ptr<Buffer>& buffer, const DataWords& words) {
  // A storage binding may have a smaller limit than the buffer. Addresses reach all of it.
  const bool by_address = device.info().buffer_addresses;
  KernelDesc desc{.name = "fill",
                  .definitions = {{"WORDS_PER_ITEM", std::to_string(kWordsPerItem)}},
                  .bindings = {{"data", by_address ? BindingKind::address : BindingKind::storage}},
                  .parameters = kFillParameters};
  if (by_address) desc.definitions["DATA_ADDRESS"] = "1";
  const auto [kernel, group_size] = grouped_kernel(device, desc, kMostOfFillGroup);
  const std::uint32_t words_of_group = group_size * kWordsPerItem;
  const std::uint64_t total = buffer->bytes() / sizeof(std::uint32_t);
  std::vector<Dispatch> pieces;
  for (std::uint64_t first = 0; first < total; first += kWordsPerDispatch) {
    const auto count = static_cast<std::uint32_t>(std::min(kWordsPerDispatch, total - first));
    pieces.push_back({kernel,
                      {{buffer, nullptr}},
                      {{"first_low", static_cast<std::uint32_t>(first)},
                       {"first_high", static_cast<std::uint32_t>(first >> 32)},
                       {"count", count},
                       {"salt", words.salt()}},
                      (count + words_of_group - 1) / words_of_group});
  }
  return pieces;
}

}  // namespace percycle
