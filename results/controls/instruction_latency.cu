// A native control for instruction-latency: cycles per dependent step by clock64, one warp.
//   nvcc -std=c++20 -O3 -arch=sm_90 instruction_latency.cu -o control && ./control
//   cuobjdump -sass control | awk '/Function/ {f = $3} /^ *\/\*[0-9a-f]{4}\*\// {print f, $2}' | sort | uniq -c
// A run of 32, 64, 128 or 256 steps has no loop; the clock is read before and after it. `step` is
// the slope of the cycles over the steps, so constant costs cancel; `bend` is the largest distance
// of a length from that line. The second command shows the instructions of each run. `net` is the
// step less the addition of the line, as instruction-latency has it.
// Runs depend on each other by a hash, whose bits a run-time mask of 0 takes out of the first values:
// a compiler can leave none out. Every lane's hash must equal that of a plain loop of the same steps.

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

constexpr unsigned kRuns = 16;  // the first ones fill the instruction caches

struct Times {
  long long cycles;
  unsigned long long keep;
};

// name, shown, type, constraint, y, x, even and odd operand, PTX: %0 is y (in and out), %1 x, %2 the
// operand. A step puts its result in y, the next one in x.
#define CHAINS(CHAIN)                                                                                              \
  CHAIN(iadd, "IADD3", unsigned, "r", 3u, 5u, 7u, 9u, "add.u32 %0, %1, %0;")                                       \
  CHAIN(isub, "IADD3 (y - x)", unsigned, "r", 3u, 5u, 7u, 9u, "sub.u32 %0, %0, %1;")                               \
  CHAIN(imul, "IMAD (mul.lo)", unsigned, "r", 3u, 5u, 7u, 9u, "mul.lo.u32 %0, %1, %0;")                            \
  CHAIN(imad, "IMAD (mad.lo)", unsigned, "r", 3u, 5u, 77u, 99u, "mad.lo.u32 %0, %1, %2, %0;")                      \
  CHAIN(imad_hi, "IMAD.HI + IADD3", unsigned, "r", 3u, 5u, ~7u, ~9u,                                               \
        "{ .reg .u32 t; mul.hi.u32 t, %1, %2; sub.u32 %0, %0, t; }")                                               \
  CHAIN(lop3, "LOP3", unsigned, "r", 3u, 5u, 0x55aa1234u, 0x12345678u, "lop3.b32 %0, %1, %0, %2, 0x6a;")           \
  CHAIN(shf, "SHF", unsigned, "r", 3u, 5u, 7u, 9u, "shf.l.wrap.b32 %0, %1, %0, %2;")                               \
  CHAIN(imnmx, "IMNMX (VIMNMX) + IADD3", unsigned, "r", 3u, 5u, 1u << 30, 1u << 31,                                \
        "{ .reg .u32 t; min.u32 t, %1, %2; sub.u32 %0, %0, t; }")                                                  \
  CHAIN(popc, "POPC + IADD3", unsigned, "r", 3u, 5u, 7u, 9u, "{ .reg .u32 t; popc.b32 t, %1; sub.u32 %0, %0, t; }") \
  CHAIN(flo, "FLO (bfind) + IADD3", unsigned, "r", 3u, 5u, 7u, 9u,                                                 \
        "{ .reg .u32 t; bfind.u32 t, %1; sub.u32 %0, %0, t; }")                                                    \
  CHAIN(brev, "BREV + IADD3", unsigned, "r", 3u, 5u, 7u, 9u, "{ .reg .b32 t; brev.b32 t, %1; sub.u32 %0, %0, t; }") \
  CHAIN(bfe, "bfe (2 instructions) + IADD3", unsigned, "r", 3u, 5u, 7u, 9u,                                                         \
        "{ .reg .u32 t; bfe.u32 t, %1, 5, 20; sub.u32 %0, %0, t; }")                                               \
  CHAIN(i2f, "I2F + IADD3", unsigned, "r", 3u, 5u, 7u, 9u,                                                         \
        "{ .reg .f32 f; .reg .b32 t; cvt.rn.f32.s32 f, %1; mov.b32 t, f; sub.u32 %0, %0, t; }")                    \
  CHAIN(dp4a, "IDP.4A", unsigned, "r", 3u, 5u, 0xe39d452fu, 0x27d4eb2fu, "dp4a.u32.u32 %0, %1, %2, %0;")           \
  CHAIN(udiv, "div.u32", unsigned, "r", 40001u, 50001u, 0xfffe1235u, 0xfffd4321u, "div.u32 %0, %2, %1;")           \
  CHAIN(udiv_power, "div.u32 (power of two)", unsigned, "r", 1u << 7, 1u << 9, 1u << 29, 1u << 31,                 \
        "div.u32 %0, %2, %1;")                                                                                     \
  CHAIN(sdiv, "div.s32", int, "r", 40001, 50001, 0x3ffe1235, 0x3ffd4321, "div.s32 %0, %2, %1;")                    \
  CHAIN(iadd64, "add.u64", unsigned long long, "l", 3ull, 5ull, 7ull, 9ull, "add.u64 %0, %1, %0;")                 \
  CHAIN(imul64, "mul.lo.u64", unsigned long long, "l", 3ull, 5ull, 7ull, 9ull, "mul.lo.u64 %0, %1, %0;")           \
  CHAIN(fadd, "FADD", float, "f", 1.5f, 1.25f, 0.75f, -0.7f, "add.rn.f32 %0, %1, %2;")                             \
  CHAIN(fmul, "FMUL", float, "f", 1.5f, 1.25f, 1.0627451f, 0.9f, "mul.rn.f32 %0, %1, %2;")                         \
  CHAIN(ffma, "FFMA", float, "f", 1.5f, 1.25f, -0.7f, 0.9f, "fma.rn.f32 %0, %1, %2, %0;")                          \
  CHAIN(fmnmx, "FMNMX + FADD", float, "f", 1.5f, 1.25f, 1.5f, 1.75f,                                               \
        "{ .reg .f32 t; min.f32 t, %1, %2; sub.rn.f32 %0, %0, t; }")                                               \
  CHAIN(fsub, "FADD (y - x)", float, "f", 1.5f, 1.25f, 0.f, 0.f, "sub.rn.f32 %0, %0, %1;")                         \
  CHAIN(fdiv, "div.rn.f32", float, "f", 1.5f, 1.25f, 1.7f, 1.9f, "div.rn.f32 %0, %2, %1;")                         \
  CHAIN(fsqrt, "sqrt.rn.f32 + FADD", float, "f", 1.5f, 1.25f, 0.75f, 0.5f,                                         \
        "{ .reg .f32 t; sqrt.rn.f32 t, %1; add.rn.f32 %0, t, %2; }")                                               \
  CHAIN(mufu_rcp, "MUFU.RCP + FADD", float, "f", 1.5f, 1.25f, 0.75f, 0.5f,                                         \
        "{ .reg .f32 t; rcp.approx.ftz.f32 t, %1; add.rn.f32 %0, t, %2; }")                                        \
  CHAIN(mufu_rsq, "MUFU.RSQ + FADD", float, "f", 1.5f, 1.25f, 0.75f, 0.5f,                                         \
        "{ .reg .f32 t; rsqrt.approx.ftz.f32 t, %1; add.rn.f32 %0, t, %2; }")                                      \
  CHAIN(mufu_sqrt, "sqrt.approx.ftz + FADD", float, "f", 1.5f, 1.25f, 0.75f, 0.5f,                                 \
        "{ .reg .f32 t; sqrt.approx.ftz.f32 t, %1; add.rn.f32 %0, t, %2; }")                                       \
  CHAIN(mufu_sin, "FMUL + MUFU.SIN + FADD", float, "f", 1.5f, 1.25f, 0.75f, 0.5f,                                  \
        "{ .reg .f32 t; sin.approx.ftz.f32 t, %1; add.rn.f32 %0, t, %2; }")                                        \
  CHAIN(mufu_cos, "FMUL + MUFU.COS + FADD", float, "f", 1.5f, 1.25f, 0.75f, 0.5f,                                  \
        "{ .reg .f32 t; cos.approx.ftz.f32 t, %1; add.rn.f32 %0, t, %2; }")                                        \
  CHAIN(mufu_lg2, "MUFU.LG2 + FADD", float, "f", 1.5f, 1.25f, 3.25f, 3.5f,                                         \
        "{ .reg .f32 t; lg2.approx.ftz.f32 t, %1; add.rn.f32 %0, t, %2; }")                                        \
  CHAIN(mufu_ex2, "MUFU.EX2 + FADD", float, "f", 1.5f, 1.25f, -2.5f, -1.f,                                         \
        "{ .reg .f32 t; ex2.approx.ftz.f32 t, %1; add.rn.f32 %0, t, %2; }")                                        \
  CHAIN(dadd, "DADD", double, "d", 1.5, 1.25, 0.75, -0.7, "add.rn.f64 %0, %1, %2;")                                \
  CHAIN(dmul, "DMUL", double, "d", 1.5, 1.25, 1.0627451, 0.9, "mul.rn.f64 %0, %1, %2;")                            \
  CHAIN(dfma, "DFMA", double, "d", 1.5, 1.25, -0.7, 0.9, "fma.rn.f64 %0, %1, %2, %0;")                             \
  CHAIN(ddiv, "div.rn.f64", double, "d", 1.5, 1.25, 1.7, 1.9, "div.rn.f64 %0, %2, %1;")                            \
  CHAIN(hadd, "HADD2 (add.f16)", unsigned short, "h", 0x3e00, 0x3d00, 0x3a00, 0xb800, "add.rn.f16 %0, %1, %2;")    \
  CHAIN(hfma, "HFMA2 (fma.f16)", unsigned short, "h", 0x3e00, 0x3d00, 0x335c, 0x3266, "fma.rn.f16 %0, %1, %2, %0;") \
  CHAIN(hadd2, "HADD2 (f16x2)", unsigned, "r", 0x3e003d00u, 0x3d003e00u, 0x3a003a00u, 0xb800b800u,                 \
        "add.rn.f16x2 %0, %1, %2;")                                                                                \
  CHAIN(hmul2, "HMUL2 (f16x2)", unsigned, "r", 0x3e003d00u, 0x3d003e00u, 0x3c403c40u, 0x3b333b33u,                 \
        "mul.rn.f16x2 %0, %1, %2;")                                                                                \
  CHAIN(hfma2, "HFMA2 (f16x2)", unsigned, "r", 0x3e003d00u, 0x3d003e00u, 0x335c335cu, 0x32663266u,                 \
        "fma.rn.f16x2 %0, %1, %2, %0;")                                                                            \
  CHAIN(shfl, "SHFL.IDX + IADD3", unsigned, "r", 3u, 5u, 1u, 1u,                                                   \
        "{ .reg .u32 t; shfl.sync.idx.b32 t, %1, %2, 31, -1; sub.u32 %0, %0, t; }")                                \
  CHAIN(ballot, "ISETP + VOTE + IADD3", unsigned, "r", 3u, 5u, 7u, 9u,                                             \
        "{ .reg .pred p; .reg .u32 t; setp.lt.s32 p, %1, 0; vote.sync.ballot.b32 t, p, -1; sub.u32 %0, %0, t; }")  \
  CHAIN(redux, "REDUX + IADD3", unsigned, "r", 3u, 5u, 7u, 9u,                                                     \
        "{ .reg .u32 t; redux.sync.add.u32 t, %1, -1; sub.u32 %0, %0, t; }")                                       \
  CHAIN(bar, "BAR.SYNC, one warp, + IADD3", unsigned, "r", 3u, 5u, 7u, 9u, "bar.sync 0; sub.u32 %0, %0, %1;")

template <typename T>
__device__ T disturbed(T value, unsigned bits) {
  unsigned long long word = 0;
  memcpy(&word, &value, sizeof value);
  word ^= bits;
  memcpy(&value, &word, sizeof value);
  return value;
}

// The clock, read behind whatever made `value` and before whatever uses it.
#define READ_CLOCK(clock, constraint, value) \
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock), "+" constraint(value) : : "memory")

// Runs of kPairs pairs of steps; `pairs`, one by one, if that is 0.
#define DEFINE(name, shown, type, constraint, y0, x0, even, odd, ptx)                                          \
  template <int kPairs>                                                                                        \
  __global__ void name(const type* all, unsigned pairs, unsigned mask, Times* out) {                           \
    const type* values = all + 4 * threadIdx.x;                                                                \
    const type first = values[0], second = values[1], c = values[2], d = values[3];                            \
    unsigned h = threadIdx.x;                                                                                  \
    long long least = LLONG_MAX;                                                                               \
    _Pragma("unroll 1") for (unsigned run = 0; run < kRuns; ++run) {                                           \
      type y = disturbed(first, h & mask);                                                                     \
      type x = disturbed(second, h & mask);                                                                    \
      long long begin = 0, end = 0;                                                                            \
      READ_CLOCK(begin, constraint, x);                                                                        \
      if (kPairs > 0) {                                                                                        \
        _Pragma("unroll") for (int i = 0; i < kPairs; ++i) {                                                   \
          asm volatile(ptx : "+" constraint(y) : constraint(x), constraint(c));                                \
          asm volatile(ptx : "+" constraint(x) : constraint(y), constraint(d));                                \
        }                                                                                                      \
      } else {                                                                                                 \
        _Pragma("unroll 1") for (unsigned i = 0; i < pairs; ++i) {                                             \
          asm volatile(ptx : "+" constraint(y) : constraint(x), constraint(c));                                \
          asm volatile(ptx : "+" constraint(x) : constraint(y), constraint(d));                                \
        }                                                                                                      \
      }                                                                                                        \
      READ_CLOCK(end, constraint, x);                                                                          \
      least = min(least, end - begin);                                                                         \
      unsigned long long word = 0;                                                                             \
      memcpy(&word, &x, sizeof x);                                                                             \
      h = (h ^ unsigned(word ^ (word >> 32))) * 1664525u + 1013904223u + run;                                  \
    }                                                                                                          \
    out[threadIdx.x].keep = h;                                                                                 \
    out[threadIdx.x].cycles = least;                                                                           \
  }
CHAINS(DEFINE)

template <typename T>
using Kernel = void (*)(const T*, unsigned, unsigned, Times*);

std::vector<Times> run_once(auto kernel, const auto* values, unsigned pairs, Times* out) {
  kernel<<<1, 32>>>(values, pairs, 0, out);
  std::vector<Times> lanes(32);
  cudaMemcpy(lanes.data(), out, lanes.size() * sizeof(Times), cudaMemcpyDeviceToHost);
  return lanes;
}

// The least cycles of a run; exits if a lane's hash differs from the plain loop's.
template <typename T>
double cycles(Kernel<T> kernel, Kernel<T> plain, unsigned pairs, const T* values, Times* out) {
  const std::vector<Times> expected = run_once(plain, values, pairs, out);
  const std::vector<Times> lanes = run_once(kernel, values, pairs, out);
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes[lane].keep == expected[lane].keep) continue;
    std::printf("wrong result in lane %d\n", lane);
    std::exit(1);
  }
  return double(lanes[0].cycles);
}

// The line of least squares through cycles over steps.
struct Line {
  double slope, bend;
};
Line line_of(const std::vector<double>& steps, const std::vector<double>& all) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    n += 1, sx += steps[i], sy += all[i], sxx += steps[i] * steps[i], sxy += steps[i] * all[i];
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  const double begin = (sy - slope * sx) / n;
  double bend = 0;
  for (size_t i = 0; i < steps.size(); ++i) bend = std::max(bend, std::abs(all[i] - begin - slope * steps[i]));
  return {slope, bend};
}

int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int driver = 0;
  cudaDriverGetVersion(&driver);
  std::printf("%s, compute capability %d.%d, CUDA %d\n", device.name, device.major, device.minor, driver);
  void* values = nullptr;
  Times* out = nullptr;
  cudaMalloc(&values, 32 * 4 * sizeof(double));
  cudaMalloc(&out, 32 * sizeof(Times));
  std::printf("%-30s %9s %9s %9s %8s %8s %8s %8s\n", "instruction", "net", "step", "bend", "32", "64", "128", "256");
  std::map<std::string, double> steps;  // of the additions that stand beside others
#define MEASURE(name, shown, type, constraint, y0, x0, even, odd, ptx)                                         \
  {                                                                                                            \
    std::vector<type> given;  /* of each lane, so that none is the subgroup's */                               \
    for (int lane = 0; lane < 32; ++lane) given.insert(given.end(), {y0, x0, even, odd});                      \
    cudaMemcpy(values, given.data(), given.size() * sizeof(type), cudaMemcpyHostToDevice);                     \
    const auto* own = static_cast<const type*>(values);                                                        \
    const std::vector<double> all{                                                                             \
        cycles<type>(name<16>, name<0>, 16, own, out), cycles<type>(name<32>, name<0>, 32, own, out),          \
        cycles<type>(name<64>, name<0>, 64, own, out), cycles<type>(name<128>, name<0>, 128, own, out)};       \
    const Line line = line_of({32, 64, 128, 256}, all);                                                        \
    steps[#name] = line.slope;                                                                                 \
    const std::string text = shown;                                                                            \
    const double beside = text.ends_with("+ IADD3") ? steps["isub"] : text.ends_with("+ FADD") ? steps["fadd"] : 0; \
    std::printf("%-30s %9.3f %9.3f %9.2f %8.0f %8.0f %8.0f %8.0f\n", shown, line.slope - beside, line.slope,   \
                line.bend, all[0], all[1], all[2], all[3]);                                                    \
  }
  CHAINS(MEASURE)
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::printf("error: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
