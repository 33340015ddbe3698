// Run by the build over every kernel pair: percycle_kernels_check FOLDER NAME...
// Compiles and validates the SPIR-V of each program in the experiments' plans, without a device,
// and writes the OpenCL programs to FOLDER for clang. Undeclared and missing parameters are errors.
#include <fmt/format.h>
#include <spirv-tools/libspirv.hpp>

#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "contract_kernel.hpp"
#include "device/kernel_source.hpp"
#include "device/opencl/source.hpp"
#include "device/vulkan/glsl_compiler.hpp"
#include "device/vulkan/glsl_source.hpp"
#include "device/vulkan/khr_matrices.hpp"
#include "platform/all_cores.hpp"

namespace percycle {
namespace {

struct VulkanTarget {
  DeviceInfo info;
  vulkan::Features features;
};

/// A device with every feature, and one without clocks and unit numbers. Both can do the rest,
/// because kernels that require one cannot compile without it.
std::array<VulkanTarget, 2> vulkan_targets() {
  VulkanTarget plain;
  plain.info.int64 = true;
  plain.info.int16 = true;
  plain.info.int8 = true;
  plain.features.buffer_device_address = true;
  plain.features.int64 = true;
  plain.features.int16 = true;
  plain.features.int8 = true;
  plain.features.fp16 = true;
  plain.features.subgroup_vote = true;
  plain.features.subgroup_ballot = true;
  plain.features.subgroup_shuffle = true;
  plain.features.subgroup_arithmetic = true;
  plain.features.dot_product = true;
  plain.features.buffer_int64_atomics = true;
  plain.features.buffer_float_add = true;
  VulkanTarget full = plain;
  full.info.unit_clock = KernelClock{};
  full.info.device_clock = KernelClock{};
  full.info.unit_id = "test";
  full.features.subgroup_clock = true;
  full.features.device_clock = true;
  full.features.scalar_block_layout = true;
  full.features.sm_builtins = true;
  return {full, plain};
}

void check_shader(const KernelDesc& desc, std::size_t) {
  // Every 1.x device accepts the output for 1.2; the validator's environment selects the rules.
  constexpr std::uint32_t kVulkan12 = (1u << 22u) | (2u << 12u);
  const std::string file = desc.name + ".comp";
  for (const VulkanTarget& target : vulkan_targets()) {
    const auto words = vulkan::compile_module(desc, file, kernel_source(file), target.info, target.features, kVulkan12);
    if (!desc.matrix_factors.empty()) static_cast<void>(vulkan::with_khr_matrices(words, desc.matrix_factors));
    std::string findings;
    spvtools::SpirvTools validator(SPV_ENV_VULKAN_1_2);
    validator.SetMessageConsumer([&findings](spv_message_level_t, const char*, const spv_position_t&, const char* message) {
      findings += fmt::format("\n{}", message);
    });
    spvtools::ValidatorOptions options;
    options.SetScalarBlockLayout(target.features.scalar_block_layout);
    if (!validator.Validate(words.data(), words.size(), options))
      throw std::runtime_error(file + ": not valid SPIR-V:" + findings);
  }
}

/// A target of clang, and the way to read a clock there that clang can check.
struct ClangTarget {
  const char* name;
  opencl::Clocks clocks;
};

/// All targets for every kind of GPU: a user's card may differ from the kind whose plans need the
/// program.
std::vector<ClangTarget> clang_targets(const KernelDesc& desc) {
  using opencl::ClockSource;
  const ClangTarget nvidia{"nvptx64", {ClockSource::ptx, ClockSource::ptx}};
  // Floating-point numbers are added by PTX, or by an extension of OpenCL C 3.0.
  if (!desc.matrix_factors.empty()) return {nvidia};
  if (desc.float_atomics) return {nvidia, {"spir64-3", {}}};
  return {nvidia, {"spir64", {}}, {"amdgcn", {ClockSource::amdgcn, ClockSource::none}}};
}

/// The distinct programs of one API for a compiler's front end, which ignores work-group sizes and
/// values of constants.
class Programs {
 public:
  void add(const KernelDesc& desc) {
    if (!known_.insert({desc.name, desc.definitions, binding_kinds(desc.bindings), desc.constants.empty(), desc.float_atomics})
             .second)
      return;
    all_.push_back(desc);
  }

  const std::vector<KernelDesc>& all() const { return all_; }

 private:
  std::set<std::tuple<std::string, std::map<std::string, std::string>, std::vector<BindingKind>, bool, bool>> known_;
  std::vector<KernelDesc> all_;
};

/// The programs of the kernels with these names.
Programs planned(Api api, const std::set<std::string>& names) {
  Programs programs;
  const auto add = [&](const KernelDesc& desc) {
    if (names.contains(desc.name)) programs.add(desc);
  };
  for (const std::string_view kind : kGpuKinds) {
    for (const KernelVariant& variant : kernel_variants(imagined_gpu(api, kind))) add(variant.desc);
  }
  add(contract_kernel());
  return programs;
}

/// Calls `check` with each program and its number. Side by side: it may not share data.
template <typename Check>
void check_all(const Programs& programs, const Check& check) {
  on_all_cores(programs.all().size(), [&](std::size_t i) {
    const KernelDesc& desc = programs.all()[i];
    try {
      check(desc, i + 1);
    } catch (const std::exception& error) {
      std::string definitions;
      for (const auto& [name, value] : desc.definitions) definitions += fmt::format(" {}={}", name, value);
      throw std::runtime_error(fmt::format("kernel {} with{}: {}", desc.name, definitions, error.what()));
    }
  });
}

/// A file without a plan would not be checked at all.
void require_planned(const Programs& programs, const std::set<std::string>& names) {
  std::set<std::string> found;
  for (const KernelDesc& desc : programs.all()) found.insert(desc.name);
  for (const std::string& name : names) {
    if (!found.contains(name)) throw std::runtime_error(fmt::format("kernel {}: no experiment's plan asks for it", name));
  }
}

void check_kernels(const std::filesystem::path& folder, const std::set<std::string>& names) {
  const Programs vulkan = planned(Api::vulkan, names);
  require_planned(vulkan, names);
  check_all(vulkan, check_shader);

  const Programs opencl = planned(Api::opencl, names);
  require_planned(opencl, names);
  check_all(opencl, [&](const KernelDesc& desc, std::size_t number) {
    for (const ClangTarget& target : clang_targets(desc)) {
      const std::filesystem::path path = folder / fmt::format("{}.{}.{}.cl", desc.name, number, target.name);
      std::ofstream out(path);
      out << opencl::program_source(desc, target.clocks);
      out.flush();
      if (!out) throw std::runtime_error(path.string() + " cannot be written");
    }
  });
}

}  // namespace
}  // namespace percycle

int main(int argc, char** argv) {
  try {
    const std::filesystem::path folder = argc > 1 ? argv[1] : "";
    if (folder.empty()) throw std::runtime_error("usage: percycle_kernels_check FOLDER NAME...");
    std::filesystem::remove_all(folder);  // removes deleted kernels
    std::filesystem::create_directories(folder);
    percycle::check_kernels(folder, {argv + 2, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
