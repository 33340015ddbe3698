#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"
#include "device/kernel.hpp"
#include "experiments/experiment.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// What a kernel is to the experiment that has it compiled.
enum class KernelRole {
  timed,
  control,  ///< runs beside the timed one, which is held against it
  helper,   ///< fills, builds or checks memory; nobody times it
};

/// "timed", "control" or "helper".
std::string_view to_string(KernelRole role);

/// One program that experiments have compiled: a kernel with one set of definitions.
struct KernelVariant {
  KernelDesc desc;  ///< of constants as many bytes as the first point has that uses it
  KernelRole role = KernelRole::helper;
  std::set<std::string> experiments;
  std::optional<std::vector<TurnAccess>> turn;     ///< LoopedDispatch::turn; of helpers none
  bool has_loop = true;                            ///< whether the turn is one of a loop; else all of the kernel
  std::optional<std::uint64_t> turn_operations{};  ///< LoopedDispatch::turn_operations
};

/// The points that an experiment, and those it needs first, plan on such a device for every value of every parameter that is a word, at preset standard
/// and each other parameter's default: one of those that differ in nothing but sizes. Plans that depend on results are given those of a device with two
/// caches.
std::vector<Point> planned_points(const Experiment& experiment, const DeviceInfo& device);

/// Every kernel that the experiments have compiled on such a device, each once: what their plans prepare for every value of every parameter that is
/// a word, at preset standard and each other parameter's default. Plans that depend on results are given those of a device with two caches. Takes the
/// experiments themselves, so that nothing else has to be kept. A device that is there to compile for alone and has no memory is taken for a small card.
std::vector<KernelVariant> kernel_variants(const DeviceInfo& described);

/// A name for one of a device's variants, from its kernel, definitions and work-group size: a file name, too.
std::string variant_name(const KernelVariant& variant);

}  // namespace percycle
