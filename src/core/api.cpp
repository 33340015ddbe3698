#include "core/api.hpp"

namespace percycle {

std::string_view to_string(Api api) { return api == Api::opencl ? "opencl" : api == Api::vulkan ? "vulkan" : "sim"; }

std::optional<Api> parse_api(std::string_view text) {
  if (text == "opencl") return Api::opencl;
  if (text == "vulkan") return Api::vulkan;
  if (text == "sim") return Api::sim;
  return std::nullopt;
}

}  // namespace percycle
