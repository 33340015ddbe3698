#include "device/opencl/rusticl.hpp"

namespace percycle::opencl {

bool is_rusticl(const DeviceInfo& info) { return info.platform == "rusticl"; }

// lp_screen.c: 8 units, 300 MHz
bool is_llvmpipe(const DeviceInfo& info) { return info.name.starts_with("llvmpipe"); }

// Mesa 25.0, src/gallium/drivers, PIPE_COMPUTE_CAP_MAX_CLOCK_FREQUENCY: iris 400 ("TODO"), nouveau
// 512 ("arbitrary limit"), panfrost 800 ("TODO"). radeonsi, freedreno and asahi ask the kernel.
std::string_view constant_clock_of(const DeviceInfo& info) {
  if (is_llvmpipe(info)) return "llvmpipe";
  if (!is_rusticl(info)) return "";
  if (info.vendor == "Intel") return "iris";
  if (info.vendor == "NVIDIA") return "nouveau";
  return info.name.starts_with("Mali") ? "panfrost" : "";
}

}  // namespace percycle::opencl
