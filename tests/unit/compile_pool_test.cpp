#include <doctest/doctest.h>

#include "session/compile_pool.hpp"

namespace percycle::compile_pool_test {
namespace {

DeviceInfo gpu(std::uint64_t gib) {
  DeviceInfo device;
  device.type = DeviceType::gpu;
  device.memory_bytes = gib << 30;
  return device;
}

}  // namespace

TEST_CASE("compile processes: as many as cores, memory and sixteen allow") {
  CHECK(compile_processes(gpu(140), 8) == 8);
  CHECK(compile_processes(gpu(140), 64) == 16);
  CHECK(compile_processes(gpu(6), 16) == 6);
  CHECK(compile_processes(gpu(140), 3) == 0);
  DeviceInfo cpu = gpu(140);
  cpu.type = DeviceType::cpu;
  CHECK(compile_processes(cpu, 16) == 0);
  DeviceInfo simulated = gpu(140);
  simulated.api = Api::sim;
  CHECK(compile_processes(simulated, 16) == 0);
  DeviceInfo unknown = gpu(140);
  unknown.memory_bytes.reset();
  CHECK(compile_processes(unknown, 16) == 0);
}

TEST_CASE("compile processes: a driver that compiles all again keeps nothing") {
  CHECK(is_kept(10, 2));
  CHECK_FALSE(is_kept(10, 11));
  CHECK(is_kept(0.5, 3));  // too short to tell
}

}  // namespace percycle::compile_pool_test
