#include "device/opencl/rusticl.hpp"

#include <doctest/doctest.h>

namespace percycle::rusticl_test {
namespace {

DeviceInfo device(std::string platform, std::string vendor, std::string name) {
  DeviceInfo info;
  info.platform = std::move(platform);
  info.vendor = std::move(vendor);
  info.name = std::move(name);
  return info;
}

TEST_CASE("rusticl: constants of the driver below are no clock") {
  CHECK(opencl::constant_clock_of(device("rusticl", "Intel", "Mesa Intel(R) Iris(R) Xe Graphics (TGL GT2)")) == "iris");
  CHECK(opencl::constant_clock_of(device("rusticl", "NVIDIA", "NV162")) == "nouveau");
  CHECK(opencl::constant_clock_of(device("rusticl", "ARM", "Mali-G610 (Panfrost)")) == "panfrost");
  CHECK(opencl::constant_clock_of(device("Clover", "Mesa", "llvmpipe (LLVM 15.0.6, 256 bits)")) == "llvmpipe");
  CHECK(opencl::constant_clock_of(device("rusticl", "AMD", "AMD Radeon RX 6800 (radeonsi, navi21)")).empty());
  CHECK(opencl::constant_clock_of(device("Intel(R) OpenCL Graphics", "Intel", "Intel(R) Iris(R) Xe Graphics")).empty());
  CHECK(opencl::constant_clock_of(device("NVIDIA CUDA", "NVIDIA", "NVIDIA H100 80GB HBM3")).empty());
}

}  // namespace
}  // namespace percycle::rusticl_test
