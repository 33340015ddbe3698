// Latency of a constant load by the number of distinct words that the lanes of a warp ask for, with
// chains of several sizes in random order. Cycles per load of a dependent chain.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

__constant__ uint4 memory[4096];

__global__ void walk(const unsigned* starts, unsigned* ends, unsigned warm, unsigned loops, long long* ticks) {
  unsigned at = starts[threadIdx.x];
#pragma unroll 1
  for (unsigned i = 0; i < warm; ++i) {
#pragma unroll
    for (int k = 0; k < 31; ++k) at = memory[at].x;
  }
  if (at == ~0u) return;
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < loops; ++i) {
#pragma unroll
    for (int k = 0; k < 31; ++k) at = memory[at].x;
  }
  if (at == ~0u) return;
  const long long end = clock64();
  ends[threadIdx.x] = at;
  if (threadIdx.x == 0) *ticks = end - begin;
}

int main() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  std::printf("%s\nbytes stride words cycles\n", p.name);
  unsigned *starts, *ends;
  long long* ticks;
  cudaMalloc(&starts, 128);
  cudaMalloc(&ends, 128);
  cudaMalloc(&ticks, 8);
  const unsigned sizes[][2] = {{1408, 16}, {1408, 64}, {8192, 64}, {32768, 64}, {65536, 64}, {65536, 256}};
  for (const auto& [bytes, stride] : sizes) {
    const unsigned nodes = bytes / stride, step = stride / 16;
    std::vector<unsigned> order(nodes);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    std::vector<uint4> image(4096);
    for (unsigned i = 0; i < nodes; ++i) image[order[i] * step].x = order[(i + 1) % nodes] * step;
    cudaMemcpyToSymbol(memory, image.data(), sizeof(uint4) * image.size());
    for (unsigned words : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
      if (words > nodes) continue;
      std::vector<unsigned> first(32);
      for (unsigned lane = 0; lane < 32; ++lane) first[lane] = order[lane % words * nodes / words] * step;
      cudaMemcpy(starts, first.data(), 128, cudaMemcpyHostToDevice);
      double least = 1e300;
      for (int sample = 0; sample < 5; ++sample) {
        const unsigned loops = 200;
        walk<<<1, 32>>>(starts, ends, nodes / 31 + 1, loops, ticks);
        long long t = 0;
        cudaMemcpy(&t, ticks, 8, cudaMemcpyDeviceToHost);
        least = std::min(least, t / (31.0 * loops));
      }
      std::printf("%u %u %u %.2f\n", bytes, stride, words, least);
    }
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
