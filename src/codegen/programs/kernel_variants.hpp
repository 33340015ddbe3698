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

/// The role of a kernel in its experiment.
enum class KernelRole {
  timed,
  control,  ///< the same loop without the timed accesses
  helper,   ///< fills, builds or checks memory; not timed
};

/// "timed", "control" or "helper".
std::string_view to_string(KernelRole role);

/// One program of the experiments: a kernel with one set of definitions.
struct KernelVariant {
  KernelDesc desc;  ///< constants as in the first point that uses it
  KernelRole role = KernelRole::helper;
  std::set<std::string> experiments;
  std::optional<std::vector<TurnAccess>> turn;  ///< LoopedDispatch::turn; empty for helpers
  /// True if `turn` counts one turn of a loop, false if it counts the whole kernel.
  bool has_loop = true;
  std::optional<TurnArithmetic> arithmetic{};  ///< LoopedDispatch::arithmetic
};

/// The points that an experiment and its prerequisites plan on the device at preset standard, for
/// every value of every word parameter and the defaults of others; one point per set that differs
/// only in sizes. Plans that depend on results get the results of a device with two caches.
std::vector<Point> planned_points(const Experiment& experiment, const DeviceInfo& device);

/// Every kernel, each once, that the experiments compile with optimisation on the device for
/// planned_points(). A compile-only device without memory is taken for a small card.
std::vector<KernelVariant> kernel_variants(const DeviceInfo& described,
                                           const std::vector<const Experiment*>& experiments = all_experiments());

/// A name for one of a device's variants from kernel, definitions and work-group size, usable as a
/// file name.
std::string variant_name(const KernelVariant& variant);

}  // namespace percycle
