#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "codegen/assembly/listing.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "verdict.hpp"

namespace percycle::audit {

/// An absent GPU and the compiler for it.
struct Target {
  enum class Compiler { clang_amd, clang_nvidia, ocloc, radv, anv };
  std::string name;
  Compiler compiler = Compiler::clang_amd;
  std::string chip;         ///< the compiler's name for it
  std::string gpu_kind{};   ///< see imagined_gpu.hpp; Vulkan's devices describe themselves
  std::string arguments{};  ///< additional ones for the compiler
  Dialect dialect{};
  /// Group of the target. Targets that need only packages have none; "anv" and "sass" need more
  /// than Debian's main packages and have separate tables.
  std::string group{};
  /// The kernels of arithmetic that are audited. All for every target would take minutes.
  enum class Arithmetic { none, matrices, all };
  Arithmetic arithmetic = Arithmetic::none;
};

/// All of them.
const std::vector<Target>& all_targets();

/// A variant for the target and the code that its compiler makes of it. Throws std::runtime_error
/// with the compiler's message.
using Compile = std::function<isa::Listing(const KernelVariant&)>;

struct Compiler {
  std::vector<KernelVariant> variants;
  Compile compile;
  std::string version;  ///< one line
  /// Compiles all later requests of compile(), in fewer processes, if the compiler can.
  std::function<void(const std::vector<KernelVariant>&)> compile_ahead{};
};

/// Prepares the target's compiler; its files go to `work`. Throws std::runtime_error in one line if
/// something is not installed.
Compiler open_compiler(const Target& target, const std::filesystem::path& work);

}  // namespace percycle::audit
