// A native control for matrix-throughput: operations per SM and cycle of mma.sync.
//   nvcc -std=c++20 -O3 -arch=sm_90 matrix_throughput.cu -o control && ./control
//   cuobjdump -sass control | grep -c HMMA
// Every warp of every SM adds products of 16x8x16 to kChains sums in registers; factors are small
// hashed integers, and the host multiplies the same matrices. The SM's cycles are those from the
// first warp's begin to the last warp's end, by clock64.

#include <cuda_fp16.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kProducts = 64;  // of a warp in a turn

struct Stamp {
  long long begin, end;
};

template <int kChains>
__global__ void products(const unsigned* factors, float* out, Stamp* stamps, int turns) {
  const unsigned lane = threadIdx.x % 32, left = lane / 4 * 8 + lane % 4;
  const unsigned a0 = factors[left], a1 = factors[64 + left], a2 = factors[left + 4], a3 = factors[68 + left];
  const unsigned b0 = factors[128 + left], b1 = factors[128 + left + 4];
  float sums[kChains][4] = {};
  __syncthreads();
  __syncthreads();
  const long long begin = clock64();
  __syncthreads();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < kProducts; ++i) {
      float* s = sums[i % kChains];
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                   : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                   : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    }
  }
  for (int i = 0; i < 4; ++i) {
    float total = 0;
    for (int chain = 0; chain < kChains; ++chain) total += sums[chain][i];
    out[(size_t{blockIdx.x} * blockDim.x + threadIdx.x) * 4 + i] = total;
  }
  __syncthreads();
  __syncthreads();
  if (threadIdx.x == 0) stamps[blockIdx.x] = {begin, clock64()};
}

int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  const int sms = device.multiProcessorCount;
  std::printf("%s, compute capability %d.%d\n", device.name, device.major, device.minor);
  // 16 rows of the left factor, 8 columns of the right one, 16 numbers each.
  std::vector<int> numbers(24 * 16);
  unsigned hash = 20;
  for (int& number : numbers) {
    hash = hash * 1664525u + 1013904223u;
    number = int(hash >> 30) + 1;
    if (hash >> 29 & 1) number = -number;
  }
  std::vector<__half> halves;
  for (const int number : numbers) halves.push_back(__float2half(float(number)));
  void* factors = nullptr;
  float* out = nullptr;
  Stamp* stamps = nullptr;
  constexpr int kLargest = 1024;
  cudaMalloc(&factors, halves.size() * sizeof(__half));
  cudaMalloc(&out, size_t(sms) * kLargest * 4 * sizeof(float));
  cudaMalloc(&stamps, sms * sizeof(Stamp));
  cudaMemcpy(factors, halves.data(), halves.size() * sizeof(__half), cudaMemcpyHostToDevice);

  std::printf("%6s %6s %s\n", "sums", "warps", "operations per SM and cycle");
  const auto measure = [&](auto kernel, int chains) {
    for (const int warps : {4, 8, 16, 32}) {
      constexpr int kTurns = 200;  // sums stay exact: 200 * 64 * 16 * 16 < 2^24
      double best = 0;
      for (int run = 0; run < 5; ++run) {
        kernel<<<sms, 32 * warps>>>(static_cast<unsigned*>(factors), out, stamps, kTurns);
        std::vector<Stamp> all(sms);
        cudaMemcpy(all.data(), stamps, sms * sizeof(Stamp), cudaMemcpyDeviceToHost);
        std::vector<double> rates;
        for (const Stamp& each : all)
          rates.push_back(2.0 * 16 * 8 * 16 * kProducts * kTurns * warps / double(each.end - each.begin));
        std::nth_element(rates.begin(), rates.begin() + sms / 2, rates.end());
        best = std::max(best, rates[sms / 2]);
      }
      std::vector<float> found(size_t(sms) * warps * 32 * 4);
      cudaMemcpy(found.data(), out, found.size() * sizeof(float), cudaMemcpyDeviceToHost);
      for (size_t i = 0; i < found.size(); ++i) {
        const size_t lane = i / 4 % 32, row = lane / 4 + (i % 4 / 2) * 8, column = lane % 4 * 2 + i % 2;
        int product = 0;
        for (int k = 0; k < 16; ++k) product += numbers[row * 16 + k] * numbers[(16 + column) * 16 + k];
        if (found[i] == float(product) * kProducts * kTurns) continue;
        std::printf("wrong result %zu: %f\n", i, found[i]);
        std::exit(1);
      }
      std::printf("%6d %6d %.1f\n", chains, warps, best);
    }
  };
  measure(products<1>, 1);
  measure(products<2>, 2);
  measure(products<4>, 4);
  measure(products<8>, 8);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::printf("error: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
