#include "anv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "codegen/assembly/brw.hpp"
#include "device/vulkan/vulkan.hpp"

namespace percycle::audit {
namespace {

constexpr const char* kManifest = "/usr/share/vulkan/icd.d/intel_icd.x86_64.json";

}  // namespace

Compiler anv(const Target& target) {
  if (!std::filesystem::exists(kManifest))
    throw std::runtime_error(fmt::format("mesa-vulkan-drivers is not installed ({} is missing)", kManifest));
  setenv("VK_DRIVER_FILES", kManifest, 1);
  setenv("VK_ICD_FILENAMES", kManifest, 1);  // loaders before 1.3.207
  // The shim reads it before main.
  const char* const platform = std::getenv("INTEL_STUB_GPU_PLATFORM");
  if (platform == nullptr || platform != target.chip) throw std::runtime_error("INTEL_STUB_GPU_PLATFORM is not " + target.chip);
  const std::shared_ptr<Device> device = open_vulkan(0);
  if (device->info().compile_only.empty()) throw std::runtime_error("Mesa's no-op DRM shim is not in LD_PRELOAD");
  return {kernel_variants(device->info()),
          [device](const KernelVariant& variant) {
            KernelDesc desc = variant.desc;
            desc.keep_code = true;
            const auto kernel = device->create(desc);
            const std::vector<CodeText> texts = device->code_texts(*kernel);
            const auto code = std::ranges::find(texts, "GEN Assembly", &CodeText::name);
            if (code == texts.end()) throw std::runtime_error("anv shows no assembly");
            // Its assembly has the spills; the driver's statistic of scratch memory is per thread.
            return isa::parse_brw(code->text);
          },
          device->info().driver};
}

}  // namespace percycle::audit
