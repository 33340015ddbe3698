#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "codegen/assembly/listing.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "verdict.hpp"

namespace percycle::audit {

/// A GPU that is not there, and the compiler that makes code for it.
struct Target {
  enum class Compiler { clang_amd, clang_nvidia, ocloc, radv, anv };
  std::string name;
  Compiler compiler = Compiler::clang_amd;
  std::string chip;         ///< the compiler's own name of it
  std::string gpu_kind{};   ///< see variants/imagined_gpu.hpp; Vulkan's devices speak for themselves
  std::string arguments{};  ///< more for the compiler
  Dialect dialect{};
  /// Those that need nothing but packages have none; "anv" and "sass" need more than packages of Debian's main, and have tables of their own.
  std::string group{};
};

/// All of them.
const std::vector<Target>& all_targets();

/// A variant for the target and the code that its compiler makes of it. Throws std::runtime_error with what the compiler says.
using Compile = std::function<isa::Listing(const KernelVariant&)>;

struct Compiler {
  std::vector<KernelVariant> variants;
  Compile compile;
  std::string version;  ///< in one line
};

/// Makes the target's compiler ready; its files go to `work`. Throws std::runtime_error in one line when something is not installed.
Compiler open_compiler(const Target& target, const std::filesystem::path& work);

}  // namespace percycle::audit
