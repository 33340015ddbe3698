// A native control for rates: code of percycle's kernel `instruction_stream` (eight chains of
// packed FP16 FMA, from opencl_code.py), started by CUDA. Prints results per SM and cycle, and
// whether every lane ends as with the first file. ./control CUBIN... (link with -lcuda)
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

static void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("%s: %s\n", call, name ? name : "?");
  std::exit(1);
}

// As in cl_kernels/prelude.h and the kernel's parameters.
struct Stamp {
  unsigned long long unit_begin, unit_end, device_begin, device_end, unit;
};
struct Parameters {
  unsigned loops, lanes, subgroups, first, second, mask;
};

constexpr double kResultsOfTurn = 1024;  // 512 steps, two results each
constexpr unsigned kMostLanes = 1024;

int main(int count, char** names) {
  check(cuInit(0), "cuInit");
  CUdevice device;
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  CUcontext context;
  check(cuDevicePrimaryCtxRetain(&context, device), "context");
  check(cuCtxSetCurrent(context), "current");
  int units = 0;
  check(cuDeviceGetAttribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device), "units");
  const unsigned most = 2 * units;
  std::vector<unsigned> words;
  for (unsigned i = 0; i < 8 * kMostLanes; ++i) words.push_back(2654435761u * (i + 1));
  std::vector<unsigned> constants;  // squares less 1.79 or 1.72 stay between -1.8 and 1.8
  for (unsigned lane = 0; lane < kMostLanes; ++lane)
    for (const unsigned word : {0xbf29bf29u, 0u, 0xbee1bee1u, 0u, 0u, 0u, 0u, 0u}) constants.push_back(word);
  CUdeviceptr starts, operands, out, stamps;
  check(cuMemAlloc(&starts, words.size() * 4), "memory");
  check(cuMemAlloc(&operands, constants.size() * 4), "memory");
  check(cuMemAlloc(&out, std::size_t{most} * kMostLanes * 8), "memory");
  check(cuMemAlloc(&stamps, most * sizeof(Stamp)), "memory");
  check(cuMemcpyHtoD(starts, words.data(), words.size() * 4), "write");
  check(cuMemcpyHtoD(operands, constants.data(), constants.size() * 4), "write");
  std::map<std::size_t, std::vector<unsigned long long>> expected;
  std::printf("%-40s %9s %9s %7s %5s\n", "code", "registers", "subgroups", "results", "same");
  for (int i = 1; i < count; ++i) {
    const std::string file = names[i];
    const std::string name = file.substr(file.rfind('/') + 1);
    CUmodule module;
    CUfunction function;
    if (const CUresult result = cuModuleLoad(&module, file.c_str()); result != CUDA_SUCCESS) {
      std::printf("%-40s cannot be loaded (%d)\n", name.c_str(), int(result));
      continue;
    }
    check(cuModuleGetFunction(&function, module, "instruction_stream"), "function");
    int lanes = 0, registers = 0;
    check(cuFuncGetAttribute(&lanes, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function), "lanes");
    check(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function), "registers");
    for (const unsigned groups : {1u, 2u}) {
      if (groups * lanes > 2048 || groups * lanes * registers > 65536) continue;
      Parameters parameters{
          .loops = 2000, .lanes = 32, .subgroups = unsigned(lanes) / 32, .first = ~0u, .second = ~0u, .mask = 0};
      void* arguments[] = {&starts, &operands, &out, &stamps, &parameters};
      std::vector<double> rates;
      std::vector<unsigned long long> ends(std::size_t{groups} * units * lanes);
      for (int sample = 0; sample < 5; ++sample) {
        check(cuLaunchKernel(function, groups * units, 1, 1, lanes, 1, 1, 0, nullptr, arguments, nullptr), "launch");
        check(cuCtxSynchronize(), "run");
        std::vector<Stamp> all(groups * units);
        check(cuMemcpyDtoH(all.data(), stamps, all.size() * sizeof(Stamp)), "read");
        check(cuMemcpyDtoH(ends.data(), out, ends.size() * 8), "read");
        std::map<unsigned long long, std::pair<Stamp, unsigned>> of_unit;
        for (const Stamp& each : all) {
          auto& [whole, number] = of_unit.try_emplace(each.unit, each, 0u).first->second;
          whole.unit_begin = std::min(whole.unit_begin, each.unit_begin);
          whole.unit_end = std::max(whole.unit_end, each.unit_end);
          ++number;
        }
        std::vector<double> of_units;
        for (const auto& [unit, pair] : of_unit)
          of_units.push_back(kResultsOfTurn * parameters.loops * lanes * pair.second /
                             double(pair.first.unit_end - pair.first.unit_begin));
        std::nth_element(of_units.begin(), of_units.begin() + of_units.size() / 2, of_units.end());
        rates.push_back(of_units[of_units.size() / 2]);
      }
      std::sort(rates.begin(), rates.end());
      const bool same = expected.try_emplace(ends.size(), ends).first->second == ends;
      std::printf("%-40s %9d %9u %7.2f %5s\n", name.c_str(), registers, groups * lanes / 32, rates[2], same ? "yes" : "no");
    }
    std::fflush(stdout);
    cuModuleUnload(module);
  }
}
