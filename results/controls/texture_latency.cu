// Latency of a texel: one lane walks a random cycle of texels of four 16-bit channels, which hold
// the column and the row of the next one. A node per square of 4 x 4 texels (128 B) of a texture in
// CUDA's own tiling. A row for each footprint: width, height, cycles per load and nanoseconds;
// medians of 5 launches after one lap.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

constexpr unsigned kSide = 4, kLoads = 31 * 64;

__device__ unsigned long long realtime() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// With whole coordinates, as texelFetch: tex2D() would convert them to floats.
__device__ void step(cudaTextureObject_t texture, int& x, int& y) {
  [[maybe_unused]] int z, w;
  asm volatile("tex.2d.v4.s32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "l"(texture), "r"(x), "r"(y));
}

__global__ void walk(cudaTextureObject_t texture, unsigned start, unsigned warm, unsigned long long* out) {
  int x = start & 0xffff, y = start >> 16;
  for (unsigned i = 0; i < warm; ++i) step(texture, x, y);
  if (x < 0) return;
  const unsigned long long began = realtime();
  const long long begin = clock64();
#pragma unroll 31
  for (unsigned i = 0; i < kLoads; ++i) step(texture, x, y);
  if (x < 0) return;
  out[0] = clock64() - begin;
  out[1] = realtime() - began;
  out[2] = static_cast<unsigned>(x) | static_cast<unsigned>(y) << 16;
}

int main() {
  cudaDeviceProp card;
  cudaGetDeviceProperties(&card, 0);
  std::printf("%s, CUDA %d: KiB, width, height, cycles, ns\n", card.name, CUDART_VERSION);
  unsigned long long* out;
  cudaMalloc(&out, 3 * sizeof *out);
  for (std::uint64_t bytes = 4 << 10; bytes <= 1 << 30; bytes *= 2) {
    const std::uint64_t nodes = bytes / 128;
    unsigned columns = 1;
    while (4ull * columns * columns <= nodes) columns *= 2;
    const unsigned width = columns * kSide, height = static_cast<unsigned>(nodes / columns) * kSide;
    std::mt19937 random(7);
    std::vector<unsigned> order(nodes);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<ushort4> texels(std::uint64_t{width} * height);
    for (auto& texel : texels)
      texel = {static_cast<unsigned short>(random()), static_cast<unsigned short>(random()),
               static_cast<unsigned short>(random()), static_cast<unsigned short>(random())};
    const auto column = [&](unsigned node) { return node % columns * kSide; };
    const auto row = [&](unsigned node) { return node / columns * kSide; };
    for (std::uint64_t i = 0; i < nodes; ++i) {
      const unsigned next = order[(i + 1) % nodes];
      auto& texel = texels[std::uint64_t{row(order[i])} * width + column(order[i])];
      texel.x = static_cast<unsigned short>(column(next));
      texel.y = static_cast<unsigned short>(row(next));
    }
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<ushort4>();
    if (cudaMallocArray(&array, &format, width, height) != cudaSuccess) break;
    cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(ushort4), width * sizeof(ushort4), height,
                        cudaMemcpyHostToDevice);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc reading{};
    reading.readMode = cudaReadModeElementType;
    reading.filterMode = cudaFilterModePoint;
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &reading, nullptr);
    // All of a texture that the L2 may hold is walked before, then only what the first cache holds.
    const unsigned lap = static_cast<unsigned>(std::min<std::uint64_t>(nodes, 1u << 19));
    const unsigned short_lap = nodes <= 8192 ? static_cast<unsigned>(nodes) : 992u;
    walk<<<1, 32>>>(texture, column(order[0]) | row(order[0]) << 16, lap, out);
    std::vector<double> cycles, ns;
    std::uint64_t at = lap + kLoads;
    for (int launch = 0; launch < 5; ++launch) {
      const unsigned start = order[at % nodes];
      walk<<<1, 32>>>(texture, column(start) | row(start) << 16, short_lap, out);
      unsigned long long found[3];
      cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
      at += short_lap + kLoads;
      if (found[2] != (column(order[at % nodes]) | row(order[at % nodes]) << 16)) std::printf("wrong end\n");
      cycles.push_back(double(found[0]) / kLoads);
      ns.push_back(double(found[1]) / kLoads);
    }
    std::sort(cycles.begin(), cycles.end());
    std::sort(ns.begin(), ns.end());
    std::printf("%8llu %6u %6u %8.1f %8.1f\n", static_cast<unsigned long long>(bytes >> 10), width, height, cycles[2], ns[2]);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
