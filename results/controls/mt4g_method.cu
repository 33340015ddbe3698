// The ways in which mt4g (github.com/caps-tum/mt4g) times loads, beside a plain chain, to explain
// differences between its figures and percycle's: nvcc -O3 -arch=native mt4g_method.cu
// Prints cycles: medians over single timed loads, or the mean of a chain.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

constexpr int kMost = 2048;  // timed loads

enum Load { kCached, kSkipL1, kFence };  // ld.ca; ld.cg; ld.cv and membar.gl

template <Load kLoad>
__device__ unsigned load(const unsigned* p) {
  unsigned v;
  if (kLoad == kCached) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  if (kLoad == kSkipL1) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  if (kLoad == kFence) asm volatile("ld.global.cv.u32 %0, [%1]; membar.gl;" : "=r"(v) : "l"(p) : "memory");
  return v;
}

__device__ unsigned now() {
  unsigned t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

// One block on each SM; the blocks take turns. Each load is timed by itself, or all together.
template <Load kLoad>
__global__ void walk(const unsigned* chain, unsigned warm, unsigned count, unsigned* ticks, unsigned* sm, unsigned* whole) {
  __shared__ unsigned times[kMost];
  unsigned at = 0;
  for (unsigned i = 0; i < warm; ++i) at = load<kLoad>(chain + at);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned begin = now();
    at = load<kLoad>(chain + at);
    times[i] = now() - begin;
  }
  const unsigned begin = now();
  for (unsigned i = 0; i < count; ++i) at = load<kLoad>(chain + at);
  if (at == ~0u) return;
  *whole = now() - begin;
  for (unsigned i = 0; i < count; ++i) ticks[i] = times[i];
  asm volatile("mov.u32 %0, %%smid;" : "=r"(*sm));
}

__constant__ unsigned zeros[16384];

// The end is read with or without a need for the loaded value.
template <bool kNeeds>
__global__ void constants(unsigned stride, unsigned count, unsigned* ticks) {
  __shared__ unsigned times[256];
  unsigned at = 0;
  for (unsigned i = 0; i < count; ++i) at = zeros[at] + stride;
  at -= count * stride;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned begin = now();
    at = zeros[at] + stride;
    if (kNeeds && at == ~0u) return;
    times[i] = now() - begin;
  }
  for (unsigned i = 0; i < count; ++i) ticks[i] = times[i];
  ticks[0] += at;
}

__global__ void read_all(const unsigned* data, size_t words, unsigned* sink) {
  unsigned sum = 0;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += size_t(gridDim.x) * blockDim.x) sum += data[i];
  if (sum == 1) *sink = sum;
}

struct Result {
  unsigned median, sm;
  double chain;
};

unsigned *ticks, *sm, *whole;

Result finish(unsigned count) {
  std::vector<unsigned> t(count);
  Result r{};
  unsigned all = 0;
  cudaMemcpy(t.data(), ticks, 4 * count, cudaMemcpyDeviceToHost);
  cudaMemcpy(&r.sm, sm, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&all, whole, 4, cudaMemcpyDeviceToHost);
  std::sort(t.begin() + 1, t.end());
  r.median = t[1 + (count - 1) / 2];
  r.chain = double(all) / count;
  return r;
}

// A chain of `nodes` words, `stride` words apart, in order or at random.
unsigned* make(size_t nodes, size_t stride, bool shuffled) {
  std::vector<unsigned> order(nodes), image(nodes * stride);
  std::iota(order.begin(), order.end(), 0);
  if (shuffled) std::shuffle(order.begin() + 1, order.end(), std::mt19937(7));
  for (size_t i = 0; i < nodes; ++i) image[order[i] * stride] = unsigned(order[(i + 1) % nodes] * stride);
  unsigned* chain = nullptr;
  cudaMalloc(&chain, 4 * image.size());
  cudaMemcpy(chain, image.data(), 4 * image.size(), cudaMemcpyHostToDevice);
  return chain;
}

template <Load kLoad>
void print(const char* name, const unsigned* chain, unsigned warm, unsigned count) {
  walk<kLoad><<<1, 1>>>(chain, warm, count, ticks, sm, whole);
  const Result r = finish(count);
  std::printf("%-64s each %u, chain %.1f\n", name, r.median, r.chain);
}

int main() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  std::printf("%s\n", p.name);
  cudaMalloc(&ticks, 4 * kMost);
  cudaMalloc(&sm, 4);
  cudaMalloc(&whole, 4);
  const size_t flush_words = size_t(256) << 18;  // 256 MiB
  unsigned* flush = make(flush_words, 1, false);

  print<kCached>("L1: 1 KiB in order", make(256, 1, false), 256, 256);
  print<kCached>("L1: 32 KiB at random, 128 B apart", make(256, 32, true), 256, 256);

  // mt4g's L2: 8 lines. Other buffers of that size lie in other slices.
  std::vector<unsigned> medians;
  for (int buffer = 0; buffer < 64; ++buffer) {
    unsigned* chain = make(256, 1, false);
    walk<kSkipL1><<<1, 1>>>(chain, 256, 256, ticks, sm, whole);
    medians.push_back(finish(256).median);
  }
  std::sort(medians.begin(), medians.end());
  std::printf("L2: 1 KiB in order, 64 buffers: each %u to %u, median %u\n", medians.front(), medians.back(), medians[32]);
  print<kSkipL1>("L2: 1 KiB in order, the last of them", make(256, 1, false), 256, 256);
  print<kSkipL1>("L2: 256 KiB at random, 128 B apart", make(2048, 32, true), 2048, 2048);
  print<kSkipL1>("L2: 8 MiB at random, 4 KiB apart", make(2048, 1024, true), 2048, 2048);

  // mt4g's memory: 2048 loads of 1 GiB, each in a page that no load has touched.
  unsigned* large = make(size_t(1) << 20, 256, true);
  const auto evict = [&] { read_all<<<1024, 256>>>(flush, flush_words, ticks); };
  evict();
  print<kFence>("memory: 1 GiB at random, cv and fence, first pass", large, 0, 2048);
  evict();
  print<kSkipL1>("memory: 1 GiB at random, cg, first pass", large, 0, 2048);
  unsigned* close = make(size_t(1) << 16, 256, true);  // 64 MiB: within the reach of the TLBs
  evict();
  print<kSkipL1>("memory: 64 MiB at random, cg, first pass", close, 0, 2048);
  print<kFence>("L2: 256 KiB at random, cv and fence", make(2048, 32, true), 2048, 2048);

  // mt4g's fetch size of the L2: fresh from a copy, or evicted.
  for (const bool evicted : {false, true}) {
    for (unsigned bytes : {16, 32, 64, 96, 128}) {
      unsigned* chain = make(64, bytes / 4, false);
      if (evicted) evict();
      walk<kCached><<<1, 1>>>(chain, 0, 32, ticks, sm, whole);
      std::vector<unsigned> t(32);
      cudaMemcpy(t.data(), ticks, 128, cudaMemcpyDeviceToHost);
      std::printf("fetch, %s, %u B apart:", evicted ? "evicted" : "just copied", bytes);
      for (const unsigned each : t) std::printf(" %u", each);
      std::printf("\n");
    }
  }

  constants<false><<<1, 1>>>(1, 256, ticks);
  std::printf("constants, 4 B apart: each %u", finish(256).median);
  constants<true><<<1, 1>>>(1, 256, ticks);
  std::printf(", with a need for the value %u\n", finish(256).median);
  return cudaDeviceSynchronize() != cudaSuccess;
}
