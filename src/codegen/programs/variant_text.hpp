#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "codegen/programs/kernel_variants.hpp"

namespace percycle {

/// "timed: 31 x global load of 8 B": the program's role and the accesses in a turn of its loop.
std::string variant_text(const KernelVariant& variant);

/// Kernel, definitions, group_size, role, experiments, and if present turn, subgroup_size and
/// constant_bytes.
nlohmann::json variant_json(const KernelVariant& variant);

}  // namespace percycle
