// A native control for instruction-sharing: cycles of the victim's additions, or of its loads of
// constants, beside code of each aggressor. instruction_sharing.py says how to make the cubins.
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

static void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("%s: %s\n", call, name ? name : "?");
  std::exit(1);
}

/// One random cycle through words 64 bytes apart.
static std::vector<unsigned> random_links(std::size_t bytes, std::size_t walked) {
  std::vector<unsigned> order(walked / 64), links(bytes / 4);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(7));
  for (std::size_t i = 0; i < order.size(); ++i) links[order[i] * 16] = order[(i + 1) % order.size()] * 16;
  return links;
}

int main(int count, char** names) {
  check(cuInit(0), "cuInit");
  CUdevice device;
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  CUcontext context;
  check(cuDevicePrimaryCtxRetain(&context, device), "context");
  check(cuCtxSetCurrent(context), "current");
  int units = 0;
  check(cuDeviceGetAttribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device), "units");
  CUdeviceptr out, sums, state;
  check(cuMemAlloc(&out, 4096), "memory");
  check(cuMemAlloc(&sums, 4096), "memory");
  check(cuMemAlloc(&state, 4096), "memory");
  check(cuMemsetD8(sums, 0, 4096), "memset");
  for (int i = 1; i < count; ++i) {
    std::string name = names[i];
    name = name.substr(name.rfind('/') + 1);
    name = name.substr(0, name.rfind('.'));
    const bool constants = name.rfind("constants", 0) == 0;
    const unsigned victim = std::strtoul(name.c_str() + name.find('_') + 1, nullptr, 10);
    const unsigned aggressor = std::strtoul(name.c_str() + name.rfind('_') + 1, nullptr, 10);
    CUmodule module;
    CUfunction function;
    check(cuModuleLoad(&module, names[i]), "load");
    check(cuModuleGetFunction(&function, module, name.c_str()), "function");
    const auto cycles = [&](unsigned number, unsigned across, unsigned loads) {
      std::vector<double> all;
      unsigned timed = 200, turns = timed + 2;
      void* arguments[] = {&out, &turns, &sums, &number, &across, &loads, &state};
      for (int sample = 0; sample < 5; ++sample) {
        check(cuMemsetD8(state, 0, 4096), "memset");
        check(cuLaunchKernel(function, across ? 4 * units : 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr), "launch");
        check(cuCtxSynchronize(), "run");
        unsigned long long ticks = 0;
        check(cuMemcpyDtoH(&ticks, out, sizeof ticks), "read");
        all.push_back(double(ticks) / timed / (constants ? loads : victim));
      }
      std::sort(all.begin(), all.end());
      return all[2];
    };
    std::printf("%s:", name.c_str());
    if (constants) {
      CUdeviceptr links;
      std::size_t bytes = 0;
      check(cuModuleGetGlobal(&links, &bytes, module, "links"), "constants");
      for (const std::size_t walked : {std::size_t{1408}, bytes}) {
        const auto words = random_links(bytes, walked);
        check(cuMemcpyHtoD(links, words.data(), bytes), "write");
        std::printf(" %zu B of constants %.2f", walked, cycles(0, 0, unsigned(walked / 64)));
      }
    } else {
      for (unsigned number = 0; number < (aggressor ? 8u : 1u); ++number)
        std::printf(" subgroup %u %.4f", number, cycles(number, 0, 0));
      if (aggressor) std::printf(" unit 1 %.4f unit %d %.4f", cycles(1, 1, 0), units / 2, cycles(units / 2, 1, 0));
    }
    std::printf("\n");
    std::fflush(stdout);
    cuModuleUnload(module);
  }
}
