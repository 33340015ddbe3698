// Samples of a texture of 32 x 32 texels per cycle of an SM, through the nearest texel (in its
// middle) and through the linear filter (at its corner): every warp reads 32 blocks of 4 x 8 texels
// per turn. A row for each format; the most of 5 launches of 2, 4 and 8 blocks of 256 lanes per SM.
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <vector>

constexpr int kSide = 32, kLanes = 256, kTurns = 200;

struct Stamp {
  unsigned sm;
  long long begin, end;
};

__device__ float fold(float v) { return v; }
__device__ float fold(float4 v) { return v.x + 3 * v.y + 5 * v.z + 7 * v.w; }
__device__ void add(float& sum, float v) { sum += v; }
__device__ void add(float4& sum, float4 v) { sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w; }

template <typename T>
__global__ void samples(cudaTextureObject_t texture, float in_texel, float advance, int turns, float* out, Stamp* stamps) {
  const unsigned lane = threadIdx.x % 32;
  const float u = (lane % 4 + in_texel) / kSide;
  float v = (lane / 4 + in_texel) / kSide;
  T sums[4] = {};
  for (int turn = -1; turn < turns; ++turn) {
    if (turn == 0) {
      __syncthreads();
      __syncthreads();
      if (threadIdx.x == 0) {
        asm volatile("mov.u32 %0, %%smid;" : "=r"(stamps[blockIdx.x].sm));
        stamps[blockIdx.x].begin = clock64();
      }
      __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 32; ++j) add(sums[j % 4], tex2D<T>(texture, u + (j % 8) * 4.0f / kSide, v + (j / 8) * 8.0f / kSide));
    v += advance;
  }
  out[blockIdx.x * kLanes + threadIdx.x] = fold(sums[0]) + fold(sums[1]) + fold(sums[2]) + fold(sums[3]);
  __syncthreads();
  if (threadIdx.x == 0) stamps[blockIdx.x].end = clock64();
}

template <typename T>
double per_cycle(cudaTextureObject_t texture, bool linear, int sms) {
  float* out;
  Stamp* stamps;
  cudaMalloc(&out, sizeof(float) * kLanes * 8 * sms);
  cudaMalloc(&stamps, sizeof(Stamp) * 8 * sms);
  double most = 0;
  for (const int blocks : {2, 4, 8}) {
    for (int launch = 0; launch < 5; ++launch) {
      samples<T><<<blocks * sms, kLanes>>>(texture, linear ? 1.0f : 0.5f, 0.0f, kTurns, out, stamps);
      std::vector<Stamp> found(blocks * sms);
      cudaMemcpy(found.data(), stamps, sizeof(Stamp) * found.size(), cudaMemcpyDeviceToHost);
      std::map<unsigned, std::vector<Stamp>> of_sm;
      for (const Stamp& stamp : found) of_sm[stamp.sm].push_back(stamp);
      std::vector<double> rates;
      for (const auto& [sm, all] : of_sm) {
        long long begin = all[0].begin, end = all[0].end;
        for (const Stamp& stamp : all) begin = std::min(begin, stamp.begin), end = std::max(end, stamp.end);
        rates.push_back(32.0 * kTurns * kLanes * double(all.size()) / double(end - begin));
      }
      std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
      most = std::max(most, rates[rates.size() / 2]);
    }
  }
  cudaFree(out);
  cudaFree(stamps);
  return most;
}

/// Texels whose channels are 0 or 1.
template <typename Texel, typename T>
void row(const char* name, int channels, Texel one, cudaTextureReadMode mode, int sms) {
  std::mt19937 random(7);
  std::vector<Texel> texels(kSide * kSide * channels);
  for (auto& texel : texels) texel = random() % 2 == 0 ? Texel(0) : one;
  const int bits = 8 * sizeof(Texel);
  const bool is_float = mode == cudaReadModeElementType;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 1 ? bits : 0, channels > 1 ? bits : 0,
                            is_float ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned);
  cudaArray_t array;
  cudaMallocArray(&array, &format, kSide, kSide);
  const size_t pitch = kSide * channels * sizeof(Texel);
  cudaMemcpy2DToArray(array, 0, 0, texels.data(), pitch, pitch, kSide, cudaMemcpyHostToDevice);
  std::printf("%-14s", name);
  for (const bool linear : {false, true}) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc reading{};
    reading.readMode = mode;
    reading.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeClamp;
    reading.normalizedCoords = 1;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &reading, nullptr);
    std::printf(" %8.3f", per_cycle<T>(texture, linear, sms));
    cudaDestroyTextureObject(texture);
  }
  std::printf("\n");
  cudaFreeArray(array);
}

int main() {
  cudaDeviceProp card;
  cudaGetDeviceProperties(&card, 0);
  const int sms = card.multiProcessorCount;
  std::printf("%s, CUDA %d: samples per SM and cycle: nearest, linear\n", card.name, CUDART_VERSION);
  row<unsigned char, float>("r8-unorm", 1, 255, cudaReadModeNormalizedFloat, sms);
  row<unsigned char, float4>("rgba8-unorm", 4, 255, cudaReadModeNormalizedFloat, sms);
  row<float, float>("r32-float", 1, 1.0f, cudaReadModeElementType, sms);
  row<__half, float4>("rgba16-float", 4, __float2half(1.0f), cudaReadModeElementType, sms);
  row<float, float4>("rgba32-float", 4, 1.0f, cudaReadModeElementType, sms);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
