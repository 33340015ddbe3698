#include "codegen/binaries/machine_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>

#include "codegen/assembly/aco_ir.hpp"
#include "codegen/assembly/amdgcn.hpp"
#include "codegen/assembly/brw.hpp"
#include "codegen/assembly/gen.hpp"
#include "codegen/assembly/objdump.hpp"
#include "codegen/assembly/ptx.hpp"
#include "codegen/assembly/sass.hpp"
#include "codegen/binaries/code_tools.hpp"
#include "codegen/binaries/elf.hpp"
#include "codegen/binaries/intel.hpp"
#include "codegen/binaries/pipeline_cache.hpp"
#include "device/identity.hpp"
#include "platform/tool.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

bool is_ptx(const std::string& bytes) {
  return bytes.find(".version") != std::string::npos && bytes.find(".target") != std::string::npos;
}

/// "90" for "9.0".
std::string sm_number(const std::optional<std::string>& capability) {
  if (!capability) throw ToolError("the compute capability is unknown");
  std::string digits = *capability;
  std::erase(digits, '.');
  return digits;
}

/// The machine code in frames of a pipeline cache; empty if none has any.
std::string machine_code_in(const std::vector<std::string>& frames, const std::string& capability) {
  const auto major = static_cast<unsigned>(std::stoul(fmt::format("0{}", capability.substr(0, capability.find('.')))));
  for (const std::string& frame : frames) {
    if (std::string code = machine_code_of(frame, major); !code.empty()) return code;
  }
  return {};
}

/// Adds a reason if `action` fails: by the driver, a tool or the file system.
template <typename Action>
void attempt(std::vector<std::string>& reasons, const char* step, const Action& action) {
  try {
    action();
  } catch (const std::exception& error) {
    reasons.push_back(fmt::format("{}: {}", step, error.what()));
  }
}

class Reading {
 public:
  Reading(DriverCode code, const std::optional<std::string>& capability, Disassembler& disassembler)
      : code_(std::move(code)), capability_(capability), disassembler_(disassembler) {
    found_.reasons = std::move(code_.reasons);
  }

  KernelCode take() {
    for (CodeText& each : code_.texts) read_text(std::move(each));
    for (CodeBinary& each : code_.binaries) {
      attempt("the driver's binary", [&] {
        if (code_.api == Api::vulkan) {
          read_pipeline_cache(std::move(each.bytes));
        } else {
          read_program(std::move(each.bytes), each.optimized);
        }
      });
    }
    if (found_.readable() == nullptr && found_.reasons.empty())
      found_.reasons.emplace_back("the driver shows no code that can be read");
    return std::move(found_);
  }

 private:
  template <typename Action>
  void attempt(const char* step, const Action& action) {
    percycle::attempt(found_.reasons, step, action);
  }

  void add(std::string name, std::string suffix, std::string text, std::optional<CodeLanguage> language = {}) {
    found_.forms.push_back({std::move(name), std::move(suffix), std::move(text), false, language});
  }
  void add_binary(std::string name, std::string suffix, std::string bytes) {
    found_.forms.push_back({std::move(name), std::move(suffix), std::move(bytes), true, std::nullopt});
  }

  /// The language of a text that a driver shows under that name.
  std::optional<CodeLanguage> language_of(const std::string& name, const std::string& text) const {
    const std::string& vendor = code_.vendor;
    // RADV's name for it; on GFX6 and GFX7 it has a sentence in place of code. AMD's own driver has
    // "ISA Disassembly".
    const bool lacks_code = text.find("isassembly is not supported") != std::string::npos;
    if (vendor == "AMD" && name.find("ssembly") != std::string::npos && !lacks_code) return CodeLanguage::amdgcn;
    if (vendor == "AMD" && name == "ACO IR") return CodeLanguage::aco_ir;
    if (vendor == "Intel" && name.ends_with("GEN Assembly")) return CodeLanguage::brw;  // Mesa's
    return std::nullopt;
  }

  void read_text(CodeText shown) {
    std::string suffix = shown.name;
    for (char& c : suffix) {
      const auto letter = static_cast<unsigned char>(c);
      c = std::isalnum(letter) != 0 ? static_cast<char>(std::tolower(letter)) : '-';
    }
    const auto language = language_of(shown.name, shown.text);
    add(std::move(shown.name), std::move(suffix), std::move(shown.text), language);
  }

  void read_program(std::string bytes, bool optimized) {
    const auto elf = elf_kind(bytes);
    if (!elf && is_ptx(bytes)) {
      bytes.resize(bytes.find_last_not_of('\0') + 1);
      attempt("SASS of the driver's PTX", [&] { assemble(bytes, optimized); });
      add("PTX", "ptx", std::move(bytes), CodeLanguage::ptx);
      return;
    }
    add_binary("program binary", "bin", bytes);
    if (elf && elf->machine == kElfCuda) {
      attempt("SASS of the program binary", [&] { disassemble_cubin(bytes, "SASS (the driver's)"); });
    } else if (elf && elf->machine == kElfAmd) {
      attempt("the program binary", [&] { disassemble_amd(bytes); });
    } else if (is_intel_program(bytes)) {
      attempt("the program binary", [&] { add("assembly (ocloc disasm)", "asm", assembly_of_intel(bytes), CodeLanguage::gen); });
    } else {
      found_.reasons.push_back(fmt::format("the program binary ({} B) has an unknown format", bytes.size()));
    }
  }

  /// NVIDIA's driver assembles a kernel that it must not optimise with -O0.
  void assemble(const std::string& ptx, bool optimized) {
    const fs::path ptxas = need_tool(kPtxAssemblers);
    const TemporaryFolder folder;
    const fs::path source = folder.write("kernel.ptx", ptx);
    const fs::path cubin = folder.path() / "kernel.cubin";
    const ToolOutput said = run_tool(
        ptxas, {"-v", optimized ? "-O3" : "-O0", "-arch=sm_" + sm_number(capability_), source.string(), "-o", cubin.string()},
        folder.path());
    add("ptxas -v", "ptxas", said.errors + said.text);
    disassemble_cubin(bytes_of(cubin), "SASS (ptxas, not the driver)");
  }

  void disassemble_cubin(const std::string& cubin, const std::string& name) {
    add_binary("cubin of " + name, "cubin", cubin);
    add(name, "sass", disassembler_.of_cubin(cubin), CodeLanguage::sass);
  }

  void disassemble_amd(const std::string& object) {
    const fs::path tool = need_tool(kAmdDisassemblers);
    const TemporaryFolder folder;
    std::vector<std::string> arguments{"-d", folder.write("kernel.o", object).string()};
    if (capability_) arguments.push_back("--mcpu=" + capability_->substr(0, capability_->find(':')));
    add("code object (llvm-objdump)", "objdump", run_tool(tool, arguments, folder.path()).text, CodeLanguage::amdgcn);
  }

  /// NVIDIA's driver shows only numbers through VK_KHR_pipeline_executable_properties.
  void read_pipeline_cache(std::string cache) {
    if (code_.vendor != "NVIDIA") return;
    const std::vector<std::string> frames = decompressed_frames(cache);
    add_binary("pipeline cache", "cache", std::move(cache));
    if (frames.empty()) throw ToolError("the pipeline cache has no Zstandard frame");
    for (std::size_t i = 0; i < frames.size(); ++i)
      add_binary(fmt::format("frame {} of the pipeline cache", i), fmt::format("frame{}", i), frames[i]);
    const std::string number = sm_number(capability_);
    const std::string code = machine_code_in(frames, *capability_);
    if (code.empty()) throw ToolError("the pipeline cache has no machine code");
    add_binary("machine code of the pipeline cache", "code", code);
    add("SASS (pipeline cache)", "sass", disassembler_.of_code(code, number), CodeLanguage::sass);
  }

  DriverCode code_;
  const std::optional<std::string>& capability_;
  Disassembler& disassembler_;
  KernelCode found_;
};

}  // namespace

const CodeForm* KernelCode::readable() const {
  const CodeForm* best = nullptr;
  for (const CodeForm& form : forms) {
    const bool replaces = best == nullptr || best->language == CodeLanguage::ptx || best->language == CodeLanguage::aco_ir;
    if (form.language && replaces) best = &form;
  }
  return best;
}

DriverCode driver_code(const Device& device, const Kernel& kernel) {
  DriverCode code{
      .api = device.info().api, .vendor = std::string(gpu_vendor(device.info())), .texts = {}, .binaries = {}, .reasons = {}};
  attempt(code.reasons, "the driver's texts", [&] { code.texts = device.code_texts(kernel); });
  if (device.info().platform == "Portable Computing Language") {
    code.reasons.emplace_back(
        "PoCL compiles for the work-group's size when a kernel is launched; its program binary is not read");
  } else {  // skipped for PoCL: it would compile all kernels again
    attempt(code.reasons, "the driver's binary", [&] { code.binaries = device.code_binaries(kernel); });
  }
  return code;
}

std::string read_part(const DriverCode& code, const CodeBinary& binary, const std::optional<std::string>& capability) {
  if (code.api != Api::vulkan || code.vendor != "NVIDIA" || !capability) return binary.bytes;
  const std::string machine_code = machine_code_in(decompressed_frames(binary.bytes), *capability);
  return machine_code.empty() ? binary.bytes : machine_code;
}

KernelCode read_code(DriverCode code, const std::optional<std::string>& capability, Disassembler& disassembler) {
  return Reading(std::move(code), capability, disassembler).take();
}

std::optional<bool> same_code(const KernelCode& one, const KernelCode& other) {
  const CodeForm* const first = one.readable();
  const CodeForm* const second = other.readable();
  if (first == nullptr || second == nullptr || first->name != second->name) return std::nullopt;
  return first->text == second->text;
}

isa::Listing parse(const CodeForm& form, const std::string& kernel_name) {
  switch (form.language.value()) {
    case CodeLanguage::amdgcn:
      return form.suffix == "objdump" ? isa::parse_amdgcn(isa::assembly_of_objdump(form.text), kernel_name)
                                      : isa::parse_amdgcn(form.text, "main");
    case CodeLanguage::brw:
      return isa::parse_brw(form.text);
    case CodeLanguage::gen:
      return isa::parse_gen(form.text);
    case CodeLanguage::aco_ir:
      return isa::parse_amdgcn(isa::assembly_of_aco_ir(form.text), "main");
    case CodeLanguage::ptx:
      return isa::parse_ptx(form.text, kernel_name);
    case CodeLanguage::sass:
      return isa::parse_sass(form.text, kernel_name);
  }
  return {};
}

}  // namespace percycle
