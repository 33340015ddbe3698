#include "device/opencl/source.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "device/kernel_source.hpp"

namespace percycle::opencl {
namespace {

constexpr std::size_t kConstantBytes = 16;

std::uint32_t little_endian_word(const std::byte* bytes) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i) word |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * i);
  return word;
}

/// The initialised program-scope array. A `__constant` argument would be an ordinary global load on
/// NVIDIA.
void append_constants(std::string& source, std::span<const std::byte> constants) {
  auto out = std::back_inserter(source);
  fmt::format_to(out, "__constant uint4 constants[{}] = {{\n", constants.size() / kConstantBytes);
  for (std::size_t at = 0; at < constants.size(); at += kConstantBytes) {
    const std::byte* vector = constants.data() + at;
    fmt::format_to(out, "  (uint4)(0x{:x}u, 0x{:x}u, 0x{:x}u, 0x{:x}u),\n", little_endian_word(vector),
                   little_endian_word(vector + 4), little_endian_word(vector + 8), little_endian_word(vector + 12));
  }
  source += "};\n";
}

}  // namespace

std::string program_source(const KernelDesc& desc, const Clocks& clocks) {
  const std::string_view text = kernel_source(desc.name + ".cl");
  if (text.empty()) throw std::invalid_argument(fmt::format("there is no kernel '{}' ({}.cl)", desc.name, desc.name));
  if (desc.constants.size() % kConstantBytes != 0) throw std::invalid_argument("constants are not a multiple of 16 bytes");

  std::string source;
  auto out = std::back_inserter(source);
  const auto define = [&](std::string_view name, auto value) { fmt::format_to(out, "#define {} {}\n", name, value); };
  define("LOCAL_SIZE", desc.local_size);
  define("HAS_UNIT_CLOCK", clocks.unit != ClockSource::none ? 1 : 0);
  define("HAS_DEVICE_CLOCK", clocks.device != ClockSource::none ? 1 : 0);
  define("HAS_UNIT_ID", unit_id(clocks) ? 1 : 0);
  define("UNIT_CLOCK", static_cast<int>(clocks.unit));
  define("DEVICE_CLOCK", static_cast<int>(clocks.device));
  for (const auto& [name, value] : desc.definitions) {
    if (value.find('\n') != std::string::npos) throw std::invalid_argument("definition " + name + " holds a line break");
    define(name, value);
  }
  for (const auto& [name, value] : desc.texts) define(name, value);
  source += kernel_source("prelude.h");
  if (!desc.texts.empty()) source += kernel_source("operations.h");
  if (!desc.constants.empty()) append_constants(source, desc.constants);
  if (!desc.parameters.empty()) fmt::format_to(out, "typedef struct {{\n{}}} Parameters;\n", parameter_members(desc.parameters));
  // Redefines the keyword, so that kernels need not mention the size.
  if (desc.subgroup_size) {
    fmt::format_to(out, "#define __kernel __kernel __attribute__((intel_reqd_sub_group_size({})))\n", *desc.subgroup_size);
  }
  source += text;
  return source;
}

}  // namespace percycle::opencl
