#include "target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "anv.hpp"
#include "codegen/assembly/aco_ir.hpp"
#include "codegen/assembly/amdgcn.hpp"
#include "codegen/assembly/gen.hpp"
#include "codegen/assembly/lines.hpp"
#include "codegen/assembly/ptx.hpp"
#include "codegen/assembly/sass.hpp"
#include "codegen/binaries/code_tools.hpp"
#include "codegen/binaries/disassembler.hpp"
#include "codegen/programs/imagined_gpu.hpp"
#include "command_line.hpp"
#include "device/enumeration_sink.hpp"
#include "device/vulkan/vulkan.hpp"
#include "platform/tool.hpp"

namespace percycle::audit {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClang = "clang-16";
constexpr const char* kClangOpencl =
    "-x cl -cl-std=CL1.2 -O3 -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins "
    "-Xclang -cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics";
const fs::path kRocmLibraries = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";
const fs::path kLibclc = "/usr/lib/clc";
const fs::path kRadvManifest = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json";
const fs::path kDisassembler = "/usr/lib/x86_64-linux-gnu/libiga64.so.1";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void require(const fs::path& path, const char* package) {
  if (!fs::exists(path)) throw std::runtime_error(fmt::format("{} is not installed ({} is missing)", package, path.string()));
}

void require_command(const char* command) {
  if (std::system(fmt::format("command -v {} >/dev/null", command).c_str()) != 0)
    throw std::runtime_error(fmt::format("{} is not installed", command));
}

Compiler clang_for_amd(const Target& target, const fs::path& work) {
  require_command(kClang);
  require(kRocmLibraries / "opencl.bc", "rocm-device-libs");
  // Version 5 does not support gfx11; libclc, which does not depend on the chip, does.
  const bool known = fs::exists(kRocmLibraries / ("oclc_isa_version_" + target.chip.substr(3) + ".bc"));
  const fs::path libclc = kLibclc / "amdgcn--amdhsa.bc";
  if (!known) require(libclc, "libclc-16");
  const std::string libraries = known ? "--rocm-device-lib-path=" + kRocmLibraries.string()
                                      : "-nogpulib -Xclang -mlink-builtin-bitcode -Xclang " + libclc.string();
  const std::string version = first_line(output_of(fmt::format("{} --version", kClang)));
  const std::string arguments =
      fmt::format("{} --target=amdgcn-amd-amdhsa -mcpu={} {} {}", kClangOpencl, target.chip, target.arguments, libraries);
  return compiler_of(target, clang(kClang, version, arguments, work), isa::parse_amdgcn);
}

/// "ptxas V13.0.88".
std::string tool_version(const char* name) {
  const std::string said = output_of(need_tool(std::array{std::string_view(name)}).string() + " --version");
  const std::size_t at = said.find(", V");
  return fmt::format("{} {}", name,
                     at == std::string::npos ? "of unknown version" : said.substr(at + 2, said.find('\n', at) - at - 2));
}

/// "16 bytes stack frame" from ptxas -v.
std::optional<std::uint32_t> bytes_of_stack(const std::string& said) {
  const std::size_t end = said.find(" bytes stack frame");
  if (end == std::string::npos) return std::nullopt;
  return isa::trailing_number(std::string_view(said).substr(0, end));
}

/// The code that NVIDIA's assembler makes from PTX.
isa::Listing sass_of(const fs::path& ptx, const std::string& chip, const std::string& kernel) {
  const fs::path cubin = fs::path(ptx).replace_extension("cubin");
  const std::string said =
      output_of(fmt::format("{} -v -arch={} {} -o {}", need_tool(kPtxAssemblers).string(), chip, quoted(ptx), quoted(cubin)));
  isa::Listing listing = isa::parse_sass(Disassembler().of_cubin(text_of(cubin)), kernel);
  listing.scratch_bytes = bytes_of_stack(said);
  return listing;
}

Compiler clang_for_nvidia(const Target& target, const fs::path& work) {
  require_command(kClang);
  const fs::path library = kLibclc / "nvptx64--nvidiacl.bc";
  require(library, "libclc-16");
  std::string version = first_line(output_of(fmt::format("{} --version", kClang)));
  if (target.group == "sass") {
    for (const char* tool : {"ptxas", "nvdisasm"}) version += ", " + tool_version(tool);
  }
  const std::string arguments = fmt::format(
      "{} --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang {} -nogpulib -Xclang -mlink-builtin-bitcode -Xclang {}",
      kClangOpencl, target.chip, library.string());
  Compiler compiler =
      compiler_of(target, clang(kClang, version, arguments, work), [=](const std::string& ptx, const std::string& kernel) {
        if (target.group != "sass") return isa::parse_ptx(ptx, kernel);
        write_text(work / "kernel.ptx", ptx);
        return sass_of(work / "kernel.ptx", target.chip, kernel);
      });
  // ptxas refuses mma.m16n8k16 below sm_80.
  if (target.chip < "sm_80")
    std::erase_if(compiler.variants, [](const KernelVariant& each) { return !each.desc.matrix_factors.empty(); });
  return compiler;
}

Compiler ocloc(const Target& target, const fs::path& work) {
  require_command("ocloc");
  require(kDisassembler, "libigc-tools");
  const std::string version = output_of("dpkg-query -W -f='${Package} ${Version} ' intel-opencl-icd libigc1");
  return compiler_of(target, ocloc_for(target.chip, version, work),
                     [](const std::string& assembly, const std::string&) { return isa::parse_gen(assembly); });
}

std::optional<std::uint32_t> statistic(const CodeInfo& code, const std::string& name) {
  const auto found = code.statistics.find(name);
  if (found == code.statistics.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found->second);
}

Compiler radv(const Target& target) {
  require(kRadvManifest, "mesa-vulkan-drivers");
  setenv("VK_DRIVER_FILES", kRadvManifest.c_str(), 1);
  setenv("VK_ICD_FILENAMES", kRadvManifest.c_str(), 1);  // loaders before 1.3.207
  setenv("RADV_FORCE_FAMILY", target.chip.c_str(), 1);
  const std::shared_ptr<Device> device = open_vulkan(0);
  // Mesa 22.3 disassembles from GFX8 on.
  const bool has_assembly = target.chip != "pitcairn" && target.chip != "hawaii";
  return {kernel_variants(device->info()),
          [=](const KernelVariant& variant) {
            KernelDesc desc = variant.desc;
            desc.keep_code = true;
            const auto kernel = device->create(desc);
            for (const CodeText& code : device->code_texts(*kernel)) {
              if (code.name != (has_assembly ? "Assembly" : "ACO IR")) continue;
              isa::Listing listing = isa::parse_amdgcn(has_assembly ? code.text : isa::assembly_of_aco_ir(code.text), "main");
              const CodeInfo info = device->code(*kernel).value_or(CodeInfo{});
              listing.registers = statistic(info, "VGPRs");
              listing.scratch_bytes = statistic(info, "Scratch size");
              return listing;
            }
            throw std::runtime_error("RADV shows no code");
          },
          device->info().driver};
}

}  // namespace

const std::vector<Target>& all_targets() {
  using enum Target::Compiler;
  static const std::vector<Target> targets = [] {
    std::vector<Target> all;
    // 64 B per cycle from L3 and from local memory, and 8 EUs of two units of 4 lanes, one
    // operation of 64 lanes per cycle (Intel, The Compute Architecture of Intel Processor Graphics
    // Gen9).
    const auto intel = [](const char* chip, const char* kind = "intel") {
      return Target{fmt::format("opencl-{}", chip), ocloc, chip, kind, "", {.operations_per_local_byte = 1}};
    };
    all.push_back(intel("skl"));  // last, because the others use its SPIR-V
    // A CU delivers 64 B per cycle from its first cache, 128 B from local memory, and starts one
    // operation of 64 lanes per cycle. GFX6 has no ds_read_b128 (AMD, Southern Islands Series
    // Instruction Set Architecture, table of LDS instructions).
    const Dialect gfx6{.widest_local_load = 8};
    all.push_back({"opencl-gfx601", clang_amd, "gfx601", "gcn1", "", gfx6});
    for (const char* chip : {"gfx701", "gfx803", "gfx900"})
      all.push_back({fmt::format("opencl-{}", chip), clang_amd, chip, "gcn"});
    all.push_back({"opencl-gfx1030", clang_amd, "gfx1030", "rdna"});
    all.push_back({"opencl-gfx1030-cu", clang_amd, "gfx1030", "rdna", "-mcumode"});
    all.push_back({"opencl-gfx1030-wave64", clang_amd, "gfx1030", "gcn", "-mwavefrontsize64"});
    all.push_back({"opencl-gfx1100", clang_amd, "gfx1100", "rdna3"});
    all.push_back({"vulkan-pitcairn", radv, "pitcairn", "", "", gfx6});
    for (const char* chip : {"hawaii", "tonga", "vega10", "navi21", "gfx1100"})
      all.push_back({fmt::format("vulkan-{}", chip), radv, chip});
    all.push_back({"opencl-sm_75",
                   clang_nvidia,
                   "sm_75",
                   "nvidia",
                   "",
                   {.scalar_path = false, .shows_returns = false, .machine_code = false}});
    for (const char* chip : {"kbl", "glk", "icllp", "tgllp"}) all.push_back(intel(chip));
    all.push_back(intel("dg2", "xe"));
    // anv reads values shared by a subgroup by messages of eight lanes. The bounds are the same as
    // for the OpenCL targets of these chips.
    for (const char* chip : {"skl", "kbl", "glk", "icl", "tgl", "dg2"})
      all.push_back(
          {fmt::format("vulkan-{}", chip), anv, chip, "", "", {.scalar_path = false, .operations_per_local_byte = 1}, "anv"});
    // An SM of Turing delivers 64 B per cycle from its first cache and from local memory and starts
    // 64 lanes, one of Hopper 128 (NVIDIA, CUDA C++ Programming Guide, "Arithmetic Instructions";
    // Jia et al., Dissecting the NVidia Turing T4 GPU, 2019, table 3.1).
    for (const char* chip : {"sm_75", "sm_90"})
      all.push_back({fmt::format("sass-{}", chip),
                     clang_nvidia,
                     chip,
                     "nvidia",
                     "",
                     {.scalar_path = false, .operations_per_local_byte = 1},
                     "sass"});
    for (Target& target : all) {
      if (target.name == "opencl-gfx1030" || target.name == "vulkan-navi21" || target.name == "vulkan-tgl" ||
          target.name == "sass-sm_90")
        target.arithmetic = Target::Arithmetic::all;
      if (target.name == "opencl-dg2") target.arithmetic = Target::Arithmetic::matrices;
    }
    return all;
  }();
  return targets;
}

Compiler open_compiler(const Target& target, const fs::path& work) {
  fs::create_directories(work);
  switch (target.compiler) {
    case Target::Compiler::clang_amd:
      return clang_for_amd(target, work);
    case Target::Compiler::clang_nvidia:
      return clang_for_nvidia(target, work);
    case Target::Compiler::ocloc:
      return ocloc(target, work);
    case Target::Compiler::radv:
      return radv(target);
    case Target::Compiler::anv:
      return anv(target);
  }
  throw std::logic_error(target.name);
}

}  // namespace percycle::audit
