// Run by the build over every kernel pair: percycle_kernel_check FOLDER NAME...
// Compiles each variant of each shader as the Vulkan device would, without a device, and validates the SPIR-V; writes the OpenCL
// programs to FOLDER, for clang to check. A pair declares its variants in lines of its files: //% variant MACRO=VALUE MACRO=VALUE
// ...
#include <fmt/format.h>
#include <spirv-tools/libspirv.hpp>

#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "device/kernel_source.hpp"
#include "device/opencl/source.hpp"
#include "device/vulkan/glsl_compiler.hpp"
#include "device/vulkan/glsl_source.hpp"

namespace percycle {
namespace {

using Definitions = std::map<std::string, std::string>;

[[noreturn]] void reject(const std::string& file, const std::string& why) { throw std::runtime_error(file + ": " + why); }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// The variants that a kernel's file declares; one without definitions where it declares none.
std::vector<Definitions> variants(const std::string& file) {
  constexpr std::string_view kMark = "//%";
  const std::string_view text = kernel_source(file);
  if (text.empty()) reject(file, "the pair's other file is missing");
  std::vector<Definitions> found;
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with(kMark)) continue;
    const std::vector<std::string_view> words = split(line.substr(kMark.size()), ' ');
    if (words.empty() || words.front() != "variant") reject(file, fmt::format("'{}' is not '//% variant MACRO=VALUE ...'", line));
    Definitions definitions;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::size_t equals = words[i].find('=');
      if (equals == std::string_view::npos || equals == 0) reject(file, fmt::format("'{}' is not MACRO=VALUE", words[i]));
      definitions.emplace(words[i].substr(0, equals), words[i].substr(equals + 1));
    }
    found.push_back(std::move(definitions));
  }
  if (found.empty()) found.emplace_back();
  return found;
}

/// A description that any kernel compiles under: more bindings than any has, and constants, which those without do not notice.
KernelDesc describe(const std::string& name, const Definitions& definitions) {
  constexpr std::uint32_t kLocalSize = 64;
  constexpr std::size_t kBindings = 8;
  constexpr std::size_t kConstantBytes = 64;
  KernelDesc desc;
  desc.name = name;
  desc.definitions = definitions;
  desc.local_size = kLocalSize;
  desc.bindings.assign(kBindings, BindingKind::storage);
  desc.constants.assign(kConstantBytes, std::byte{1});
  const auto type = definitions.find("WORD_TYPE");
  desc.float_atomics = type != definitions.end() && type->second == "WORD_FLOAT";
  return desc;
}

struct VulkanTarget {
  DeviceInfo info;
  vulkan::Features features;
};

/// A device with everything, and one without clocks and unit numbers. Both have addresses, 64-bit integers and all atomics: kernels whose
/// experiment asks for these before it plans a point cannot compile without.
std::array<VulkanTarget, 2> vulkan_targets() {
  VulkanTarget full;
  full.info.int64 = true;
  full.info.unit_clock = KernelClock{};
  full.info.device_clock = KernelClock{};
  full.info.unit_id = "test";
  full.features.buffer_device_address = true;
  full.features.int64 = true;
  full.features.subgroup_clock = true;
  full.features.device_clock = true;
  full.features.scalar_block_layout = true;
  full.features.sm_builtins = true;
  full.features.buffer_int64_atomics = true;
  full.features.buffer_float_add = true;
  VulkanTarget plain;
  plain.info.int64 = true;
  plain.features.buffer_device_address = true;
  plain.features.int64 = true;
  plain.features.buffer_int64_atomics = true;
  plain.features.buffer_float_add = true;
  return {full, plain};
}

void check_shader(const KernelDesc& desc) {
  // Every 1.x device takes what 1.2 compiles to; the validator's environment says which rules hold.
  constexpr std::uint32_t kVulkan12 = (1u << 22u) | (2u << 12u);
  const std::string file = desc.name + ".comp";
  const std::string constants = vulkan::glsl_constants(desc);
  for (const VulkanTarget& target : vulkan_targets()) {
    const std::string head = vulkan::glsl_head(desc, target.info, target.features);
    const std::array pieces{vulkan::GlslPiece{"head", head}, vulkan::GlslPiece{"prelude.glsl", kernel_source("prelude.glsl")},
                            vulkan::GlslPiece{"constants", constants}, vulkan::GlslPiece{file, kernel_source(file)}};
    const std::vector<std::uint32_t> words = vulkan::compile_glsl(pieces, kVulkan12);

    std::string findings;
    spvtools::SpirvTools validator(SPV_ENV_VULKAN_1_2);
    validator.SetMessageConsumer([&findings](spv_message_level_t, const char*, const spv_position_t&, const char* message) {
      findings += fmt::format("\n{}", message);
    });
    spvtools::ValidatorOptions options;
    options.SetScalarBlockLayout(target.features.scalar_block_layout);
    if (!validator.Validate(words.data(), words.size(), options)) reject(file, "not valid SPIR-V:" + findings);
  }
}

/// One file for each way to read a clock that clang can check, named by the target it is to be checked for.
void write_program(const KernelDesc& desc, std::size_t variant, const std::filesystem::path& folder) {
  using opencl::ClockSource;
  static const std::map<std::string, opencl::Clocks> usual{
      {"spir64", {}},
      {"nvptx64", {ClockSource::ptx, ClockSource::ptx}},
      {"amdgcn", {ClockSource::amdgcn, ClockSource::none}},
  };
  // Floating-point numbers are added by PTX, or as OpenCL C 3.0 does with an extension.
  static const std::map<std::string, opencl::Clocks> with_float{
      {"spir64-3", {}},
      {"nvptx64", {ClockSource::ptx, ClockSource::ptx}},
  };
  const auto& targets = desc.float_atomics ? with_float : usual;
  for (const auto& [target, clocks] : targets) {
    const std::filesystem::path path = folder / fmt::format("{}.{}.{}.cl", desc.name, variant + 1, target);
    std::ofstream out(path);
    out << opencl::program_source(desc, clocks);
    out.flush();
    if (!out) reject(path.string(), "cannot be written");
  }
}

void check_pair(const std::string& name, const std::filesystem::path& folder) {
  const std::vector<Definitions> declared = variants(name + ".comp");
  if (declared != variants(name + ".cl")) reject(name + ".cl", "its variants are not those of " + name + ".comp");
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const KernelDesc desc = describe(name, declared[i]);
    try {
      check_shader(desc);
      write_program(desc, i, folder);
    } catch (const std::exception& error) {
      reject(name, fmt::format("variant {}: {}", i + 1, error.what()));
    }
  }
}

}  // namespace
}  // namespace percycle

int main(int argc, char** argv) {
  try {
    const std::filesystem::path folder = argc > 1 ? argv[1] : "";
    if (folder.empty()) throw std::runtime_error("usage: percycle_kernel_check FOLDER NAME...");
    std::filesystem::remove_all(folder);  // kernels that are gone
    std::filesystem::create_directories(folder);
    for (int i = 2; i < argc; ++i) percycle::check_pair(argv[i], folder);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
