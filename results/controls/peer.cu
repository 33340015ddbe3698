// CUDA's counterpart of peer_opencl.cpp: nvcc -std=c++17 -O3 -o peer peer.cu && ./peer
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                              \
  do {                                                           \
    const cudaError_t error = (call);                            \
    if (error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                              \
    }                                                            \
  } while (false)

__device__ uint32_t word(uint32_t i, uint32_t seed) {
  uint32_t x = (i + seed) * 2654435761u;
  x ^= x >> 15;
  return x * 2246822519u;
}

__global__ void fill(uint32_t* y, uint32_t seed) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = word(i, seed);
}

__global__ void check(const uint32_t* y, uint32_t seed, uint32_t* wrong) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (y[i] != word(i, seed)) atomicAdd(wrong, 1u);
}

__global__ void copy_words(const uint4* from, uint4* to, uint32_t count) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) to[i] = from[i];
}

static double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

constexpr size_t kMost = 256 << 20;
static uint32_t* memory[2];
static uint32_t* wrong[2];
static cudaStream_t streams[2];
static cudaEvent_t begins[2], ends[2];

static void fill_on(int device, uint32_t seed) {
  CHECK(cudaSetDevice(device));
  fill<<<kMost / 4 / 256, 256, 0, streams[device]>>>(memory[device], seed);
  CHECK(cudaDeviceSynchronize());
}

static uint32_t wrong_on(int device, size_t bytes, uint32_t seed) {
  CHECK(cudaSetDevice(device));
  uint32_t count = 0;
  CHECK(cudaMemset(wrong[device], 0, 4));
  check<<<bytes / 4 / 256, 256, 0, streams[device]>>>(memory[device], seed, wrong[device]);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&count, wrong[device], 4, cudaMemcpyDeviceToHost));
  return count;
}

/// Work on the stream of a device, which moves memory[0] to memory[1].
template <typename Work>
static void measure(const char* name, int device, size_t bytes, const Work& work) {
  std::vector<double> events, host;
  uint32_t bad = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    fill_on(1, 77 + i);
    fill_on(0, i);
    CHECK(cudaSetDevice(device));
    const double begin = now_ns();
    CHECK(cudaEventRecord(begins[device], streams[device]));
    work();
    CHECK(cudaEventRecord(ends[device], streams[device]));
    CHECK(cudaStreamSynchronize(streams[device]));
    const double end = now_ns();
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begins[device], ends[device]));
    bad += wrong_on(1, bytes, i);
    if (i == 0) continue;
    events.push_back(1e6 * ms);
    host.push_back(end - begin);
  }
  CHECK(cudaSetDevice(device));
  const int many = 16;
  const double begin = now_ns();
  for (int i = 0; i < many; ++i) work();
  CHECK(cudaStreamSynchronize(streams[device]));
  const double each = (now_ns() - begin) / many;
  std::printf("%9zu B, %s: events %.0f, host %.0f ns (%.2f GB/s by events); 16 together %.0f ns per copy (%.2f GB/s); %u wrong\n", bytes,
              name, median(events), median(host), bytes / median(events), each, bytes / each, bad);
}

int main() {
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  std::printf("%d devices\n", devices);
  if (devices < 2) return 1;
  for (int i = 0; i < 2; ++i) {
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, i));
    int can = 0, rank = 0, atomics = 0;
    CHECK(cudaDeviceCanAccessPeer(&can, i, 1 - i));
    cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, i, 1 - i);
    cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, i, 1 - i);
    std::printf("device %d: %s, bus 0x%x; can access the other: %d, performance rank %d, native atomics %d\n", i, properties.name,
                properties.pciBusID, can, rank, atomics);
    CHECK(cudaSetDevice(i));
    CHECK(cudaMalloc(&memory[i], kMost));
    CHECK(cudaMalloc(&wrong[i], 4));
    CHECK(cudaStreamCreate(&streams[i]));
    CHECK(cudaEventCreate(&begins[i]));
    CHECK(cudaEventCreate(&ends[i]));
  }
  uint8_t* host = nullptr;
  CHECK(cudaHostAlloc(&host, kMost, cudaHostAllocPortable));
  for (const bool access : {false, true}) {
    if (access) {
      for (int i = 0; i < 2; ++i) {
        CHECK(cudaSetDevice(i));
        const cudaError_t error = cudaDeviceEnablePeerAccess(1 - i, 0);
        std::printf("cudaDeviceEnablePeerAccess of device %d: %s\n", i, cudaGetErrorString(error));
        if (error != cudaSuccess) return 0;
      }
    }
    std::printf("%s peer access:\n", access ? "with" : "without");
    for (const size_t bytes : {4ul << 10, 64ul << 10, 1ul << 20, 16ul << 20, 64ul << 20, 256ul << 20}) {
      for (const int by : {0, 1}) {
        measure(by == 0 ? "cudaMemcpyPeerAsync, source's stream" : "cudaMemcpyPeerAsync, target's stream", by, bytes,
                [&] { CHECK(cudaMemcpyPeerAsync(memory[1], 1, memory[0], 0, bytes, streams[by])); });
      }
      if (access) {
        const uint32_t count = bytes / 16;
        const uint32_t groups = std::min(1056u, (count + 255) / 256);
        measure("kernel of the source stores to the target", 0, bytes,
                [&] { copy_words<<<groups, 256, 0, streams[0]>>>((uint4*)memory[0], (uint4*)memory[1], count); });
        measure("kernel of the target loads from the source", 1, bytes,
                [&] { copy_words<<<groups, 256, 0, streams[1]>>>((uint4*)memory[0], (uint4*)memory[1], count); });
      } else {
        measure("to page-locked memory, then to the target", 1, bytes, [&] {
          CHECK(cudaMemcpyAsync(host, memory[0], bytes, cudaMemcpyDeviceToHost, streams[0]));
          CHECK(cudaStreamSynchronize(streams[0]));
          CHECK(cudaMemcpyAsync(memory[1], host, bytes, cudaMemcpyHostToDevice, streams[1]));
        });
      }
    }
  }
  return 0;
}
