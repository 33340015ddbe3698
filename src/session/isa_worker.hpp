#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "codegen/programs/kernel_variants.hpp"
#include "device/info.hpp"

namespace percycle {

/// The programs of a kernel that `percycle isa` compiles, and the form of its output.
struct IsaRequest {
  std::string kernel;
  std::vector<std::string> definitions;  ///< "NAME=VALUE": only programs that have all of them
  /// Folder for all forms of each program's code; empty: none.
  std::string out;
  bool json = false;  ///< as JSON instead of text
  bool code = false;  ///< shows the code even of several programs
};

/// The timed programs and controls of that kernel with these definitions. Throws UsageError naming
/// the available ones.
std::vector<KernelVariant> wanted_variants(const DeviceInfo& device, const IsaRequest& request);

/// Compiles in a separate process and passes each program's event to `take`: "failed", "program" or
/// "text". The process loads all drivers of the API, because no API tells which driver a device
/// belongs to. If it ends before its first program, a second process loads the device's driver
/// alone, which percycle finds by asking each driver. Throws UsageError and RunError, also if the
/// driver crashes or hangs.
void compile_in_worker(const DeviceInfo& device, const std::optional<std::string>& capability, const IsaRequest& request,
                       const std::function<void(const nlohmann::json&)>& take);

/// `percycle worker compile` is that process; its request is the first line of stdin.
inline constexpr const char* kIsaWorker = "compile";
int isa_worker();

}  // namespace percycle
