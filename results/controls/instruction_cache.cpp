// A native control for instruction-cache: cycles per addition by the counter of the SM, by the
// length of the code. instruction_cache.py says how to make the cubins that it reads.
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("%s: %s\n", call, name ? name : "?");
  std::exit(1);
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
  CUdeviceptr out, sums;
  check(cuMemAlloc(&out, 1 << 20), "memory");
  check(cuMemAlloc(&sums, 4096), "memory");
  check(cuMemsetD8(sums, 0, 4096), "memset");
  std::printf("additions code_bytes subgroup schedulers units\n");
  for (int i = 1; i < count; ++i) {
    const std::string file = names[i];
    const std::size_t at = file.rfind("add");
    const unsigned additions = std::strtoul(file.c_str() + at + 3, nullptr, 10);
    CUmodule module;
    CUfunction function;
    check(cuModuleLoad(&module, file.c_str()), "load");
    check(cuModuleGetFunction(&function, module, ("add" + std::to_string(additions)).c_str()), "function");
    std::printf("%u %u", additions, additions * 16);
    const unsigned groups[] = {1, 1, (unsigned)units}, lanes[] = {32, 128, 128};
    for (int scope = 0; scope < 3; ++scope) {
      const unsigned timed = std::max(8u, 400000u / additions / 4);
      unsigned turns = timed + 2;
      void* arguments[] = {&out, &turns, &sums};
      std::vector<double> all;
      for (int sample = 0; sample < 5; ++sample) {
        check(cuLaunchKernel(function, groups[scope], 1, 1, lanes[scope], 1, 1, 0, nullptr, arguments, nullptr), "launch");
        check(cuCtxSynchronize(), "run");
        unsigned long long ticks = 0;
        check(cuMemcpyDtoH(&ticks, out, sizeof ticks), "read");
        all.push_back(double(ticks) / timed / additions);
      }
      std::sort(all.begin(), all.end());
      std::printf(" %.4f", all[2]);
    }
    std::printf("\n");
    std::fflush(stdout);
    cuModuleUnload(module);
  }
}
