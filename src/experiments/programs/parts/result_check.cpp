#include "experiments/programs/parts/result_check.hpp"
#include "device/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace percycle {

ResultCheck::ResultCheck(Device& device, const ResultWords& shape, std::shared_ptr<Buffer> result, Comparison compare)
    : shape_(shape), compare_(std::move(compare)), result_(std::move(result)), sums_(device, shape, result_) {}

Outcome ResultCheck::operator()(Device& device, std::uint64_t loops) {
  if (loops == 0) return {};
  if (expected_.empty()) {
    const auto words = read_values<std::uint32_t>(device, *result_, result_->bytes() / sizeof(std::uint32_t));
    if (Outcome outcome = compare_(words); outcome.status != Status::ok) return outcome;
    expected_ = result_sums(shape_, words);
  }
  const std::vector<std::uint32_t> found = sums_(device);
  const auto wrong = std::ranges::mismatch(found, expected_);
  if (wrong.in1 == found.end()) return {};
  return {Status::invalid, fmt::format("block {} adds up to {:#x} instead of {:#x} after {} steps", wrong.in1 - found.begin(),
                                       *wrong.in1, *wrong.in2, loops)};
}

}  // namespace percycle
