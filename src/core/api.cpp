#include "core/api.hpp"

namespace percycle {

std::span<const Word<Api>> words(Api) {
  static constexpr Word<Api> kWords[]{{Api::opencl, "opencl"}, {Api::vulkan, "vulkan"}, {Api::sim, "sim"}};
  return kWords;
}

std::string_view to_string(Api api) { return word_of(api); }

std::optional<Api> parse_api(std::string_view text) { return value_of<Api>(text); }

}  // namespace percycle
