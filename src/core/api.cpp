#include "core/api.hpp"

namespace percycle {

std::string_view to_string(Api api) { return api == Api::opencl ? "opencl" : "vulkan"; }

std::optional<Api> parse_api(std::string_view text) {
  if (text == "opencl") return Api::opencl;
  if (text == "vulkan") return Api::vulkan;
  return std::nullopt;
}

}  // namespace percycle
