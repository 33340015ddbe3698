// Rates of stores and copies of an SM: every block writes its own region again and again, 16 B a
// lane, in global memory that the L2 holds or in shared memory. "one row": all warps of a block
// write the same 4 KiB. A copy loads a vector before each
// store; from shared memory, or from one region for all blocks, which the L1 holds. A row for each
// kind and block size: B per SM and cycle from the first begin to the last end of an SM's blocks,
// the median of all SMs; and GB/s by the time of the launch. The best of five launches.
#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

struct Stamp {
  long long begin, end;
  unsigned sm;
};

constexpr unsigned kUnroll = 8, kRegion = 16384;

template <bool shared, bool copies, bool one_row>
__global__ void stores(const uint4* source, uint4* target, unsigned* out, Stamp* stamps, unsigned laps) {
  __shared__ uint4 memory[(shared ? kRegion / 16 * (copies ? 2 : 1) : 1)];
  const unsigned tiles = one_row ? 1 : kRegion / 16 / (blockDim.x * kUnroll), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = (one_row ? 0 : warp * 32 * kUnroll) + lane;
  if (shared)
    for (unsigned i = threadIdx.x; i < sizeof memory / 16; i += blockDim.x) memory[i] = source[i];
  uint4* const to_begin = shared ? memory + (copies ? kRegion / 16 : 0) + first : target + blockIdx.x * ((one_row ? 4096 : kRegion) / 16) + first;
  const uint4* const from_begin = shared ? memory + first : source + first;
  uint4 v = {threadIdx.x, blockIdx.x, 3, 4};
  __syncthreads();
  const long long begin = clock64();
  __syncthreads();
  unsigned at = 0;
#pragma unroll 1
  for (unsigned turn = 0; turn < laps * tiles; ++turn) {
    volatile uint4* to = to_begin + at;
    const uint4* from = from_begin + at;
#pragma unroll
    for (unsigned j = 0; j < kUnroll; ++j) {
      const uint4 w = copies ? from[j * 32] : v;
      if (shared)
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(unsigned(__cvta_generic_to_shared((void*)(to + j * 32)))),
                     "r"(w.x), "r"(w.y), "r"(w.z), "r"(w.w)
                     : "memory");
      else
        asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to + j * 32), "r"(w.x), "r"(w.y), "r"(w.z), "r"(w.w)
                     : "memory");
    }
    v.x += 0x9e3779b9u, v.y += 0x9e3779b9u, v.z += 0x9e3779b9u, v.w += 0x9e3779b9u;
    at += blockDim.x * kUnroll;
    at = at == tiles * blockDim.x * kUnroll ? 0 : at;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = v.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    stamps[blockIdx.x] = {begin, clock64(), sm};
  }
  if (shared) target[blockIdx.x * 1024 + threadIdx.x] = memory[threadIdx.x];
}

template <bool shared, bool copies, bool one_row = false>
void measure(const char* name, unsigned sms) {
  uint4 *source, *target;
  unsigned* out;
  Stamp* stamps;
  const unsigned most = sms * 8;
  cudaMalloc(&source, 2 * kRegion);
  cudaMemset(source, 1, 2 * kRegion);
  cudaMalloc(&target, size_t(most) * kRegion);
  cudaMalloc(&out, most * 1024 * 4);
  cudaMalloc(&stamps, most * sizeof(Stamp));
  cudaEvent_t before, after;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  for (const unsigned block : one_row ? std::vector{256u} : std::vector{64u, 128u}) {
    for (const unsigned per_sm : {1u, 2u, 4u, 8u}) {
      if (shared && per_sm * kRegion * (copies ? 2 : 1) > 200 * 1024) continue;
      double best = 0, fastest = 0;
      const unsigned blocks = sms * per_sm, laps = one_row ? 20000 : 400;
      for (int launch = 0; launch < 5; ++launch) {
        cudaEventRecord(before);
        stores<shared, copies, one_row><<<blocks, block>>>(source, target, out, stamps, laps);
        cudaEventRecord(after);
        std::vector<Stamp> found(blocks);
        cudaMemcpy(found.data(), stamps, blocks * sizeof(Stamp), cudaMemcpyDeviceToHost);
        float ms = 0;
        cudaEventElapsedTime(&ms, before, after);
        std::map<unsigned, Stamp> units;
        std::map<unsigned, unsigned> count;
        for (const Stamp& each : found) {
          auto [at, is_new] = units.try_emplace(each.sm, each);
          at->second = {std::min(at->second.begin, each.begin), std::max(at->second.end, each.end), each.sm};
          ++count[each.sm];
        }
        std::vector<double> rates;
        const unsigned tiles = one_row ? 1 : kRegion / 16 / (block * kUnroll);
        const double bytes = double(laps) * tiles * block * kUnroll * 16;
        for (const auto& [sm, unit] : units) rates.push_back(count[sm] * bytes / double(unit.end - unit.begin));
        std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
        best = std::max(best, rates[rates.size() / 2]);
        fastest = std::max(fastest, bytes * blocks / (ms * 1e6));
      }
      std::printf("%-14s %5u x %u %10.2f B/SM/cycle %10.0f GB/s\n", name, block, per_sm, best, fastest);
    }
  }
}

int main() {
  cudaDeviceProp card;
  cudaGetDeviceProperties(&card, 0);
  std::printf("%s, CUDA %d; bytes count once for a copy\n", card.name, CUDART_VERSION);
  measure<false, false>("global write", card.multiProcessorCount);
  measure<false, true>("global copy", card.multiProcessorCount);
  measure<false, false, true>("row write", card.multiProcessorCount);
  measure<false, true, true>("row copy", card.multiProcessorCount);
  measure<true, false>("shared write", card.multiProcessorCount);
  measure<true, true>("shared copy", card.multiProcessorCount);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
