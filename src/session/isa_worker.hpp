#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "codegen/programs/kernel_variants.hpp"
#include "device/info.hpp"

namespace percycle {

/// Which programs of a kernel `percycle isa` compiles, and what it makes of them.
struct IsaRequest {
  std::string kernel;
  std::vector<std::string> definitions;  ///< "NAME=VALUE": only programs that have all of them
  std::string out;                       ///< the folder for all forms of each program's code; empty: none is written
  bool json = false;                     ///< as JSON instead of text
  bool code = false;                     ///< with the code where several programs are left, too
};

/// The timed programs and controls of that kernel on the device that have these definitions. Throws UsageError, which names what there is.
std::vector<KernelVariant> wanted_variants(const DeviceInfo& device, const IsaRequest& request);

/// Compiles in a process of its own and hands out each program's event: "failed", and "program" or "text". The process loads all drivers of
/// the API, because no API tells which driver a device belongs to. If it ends before its first program, a second one loads the device's
/// driver alone, which is found by asking each driver.
/// Throws UsageError and RunError, also where the driver crashes or hangs.
void compile_in_worker(const DeviceInfo& device, const std::optional<std::string>& capability, const IsaRequest& request,
                       const std::function<void(const nlohmann::json&)>& take);

/// `percycle worker compile` is that process; its request is the first line of stdin.
inline constexpr const char* kIsaWorker = "compile";
int isa_worker();

}  // namespace percycle
