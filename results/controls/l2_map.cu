// Hit latency of single lines of the L2 from every SM: volatile loads, loads that pass the L1 (.cg)
// and atomics, 64 lines in 64 blocks of 4 KiB. A row per SM, a column per line, in cycles.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned kLines = 64, kBlock = 1024, kSteps = 64;

template <int kind>
__device__ unsigned step(unsigned* chain, unsigned at) {
  if (kind == 0) return *reinterpret_cast<volatile unsigned*>(chain + at);
  if (kind == 1) return __ldcg(chain + at);
  return atomicOr(chain + at, 0u);
}

template <int kind>
__global__ void walk(unsigned* chain, const unsigned* starts, unsigned* claimed, unsigned wanted, unsigned* ticks) {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  if (threadIdx.x != 0 || sm != wanted || atomicAdd(claimed, 1u) != 0) return;
  for (unsigned line = 0; line < kLines; ++line) {
    unsigned at = starts[line];
    for (int i = 0; i < 8; ++i) at = step<kind>(chain, at);
    if (at == ~0u) return;
    const long long begin = clock64();
#pragma unroll 8
    for (unsigned i = 0; i < kSteps; ++i) at = step<kind>(chain, at);
    if (at == ~0u) return;  // waits for the last access
    ticks[line] = unsigned(clock64() - begin);
  }
}

template <int kind>
void measure(const char* name, unsigned* chain, const unsigned* starts, unsigned sms) {
  unsigned *claimed, *ticks;
  cudaMalloc(&claimed, 4);
  cudaMalloc(&ticks, 4 * kLines);
  std::printf("%s\n", name);
  for (unsigned sm = 0; sm < sms; ++sm) {
    std::vector<std::vector<unsigned>> all;
    for (int sample = 0; sample < 5; ++sample) {
      std::vector<unsigned> row(kLines);
      cudaMemset(claimed, 0, 4);
      cudaMemset(ticks, 0, 4 * kLines);
      walk<kind><<<4 * sms, 32>>>(chain, starts, claimed, sm, ticks);
      cudaMemcpy(row.data(), ticks, 4 * kLines, cudaMemcpyDeviceToHost);
      all.push_back(row);
    }
    std::printf("%u", sm);
    for (unsigned line = 0; line < kLines; ++line) {
      unsigned least = ~0u;
      for (auto& row : all) least = row[line] < least ? row[line] : least;
      std::printf(" %.2f", least / double(kSteps));
    }
    std::printf("\n");
  }
  cudaFree(claimed);
  cudaFree(ticks);
}

int main() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  std::printf("%s, %d SMs, uuid ", p.name, p.multiProcessorCount);
  for (char c : p.uuid.bytes) std::printf("%02x", (unsigned char)c);
  std::printf("\n");
  std::vector<unsigned> words(kLines * kBlock), starts;
  for (unsigned i = 0; i < words.size(); ++i) words[i] = i * 2654435761u;
  for (unsigned line = 0; line < kLines; ++line) {
    const unsigned start = line * kBlock + (line * 2654435761u >> 16) % 32 * 32;
    starts.push_back(start);
    for (unsigned i = 0; i < 7; ++i) words[start + i] = start + (i + 3) % 7;
  }
  unsigned *chain, *firsts;
  cudaMalloc(&chain, 4 * words.size());
  cudaMalloc(&firsts, 4 * kLines);
  cudaMemcpy(chain, words.data(), 4 * words.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(firsts, starts.data(), 4 * kLines, cudaMemcpyHostToDevice);
  measure<0>("volatile", chain, firsts, p.multiProcessorCount);
  measure<1>("cg", chain, firsts, p.multiProcessorCount);
  measure<2>("atomic", chain, firsts, p.multiProcessorCount);
  return cudaDeviceSynchronize() != cudaSuccess;
}
