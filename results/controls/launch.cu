// CUDA's counterpart of the experiment `launch`: nvcc -O3 -o launch launch.cu && ./launch
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <algorithm>
#include <vector>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) {                                                             \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error));                            \
      return 1;                                                                             \
    }                                                                                       \
  } while (false)

__global__ void count(uint32_t* y) {
  if (threadIdx.x == 0) atomicAdd(y, 1u);
}

__global__ void mark(uint32_t* y, uint32_t factor) {
  if (threadIdx.x == 0) y[blockIdx.x] = factor + blockIdx.x;
}

// The store of Vulkan's code on an H100: STG.E.STRONG.SM.
__global__ void mark_strong(uint32_t* y, uint32_t factor) {
  if (threadIdx.x == 0)
    asm volatile("st.relaxed.cta.global.u32 [%0], %1;" ::"l"(y + blockIdx.x), "r"(factor + blockIdx.x) : "memory");
}

__global__ void nothing() {}

extern __shared__ uint32_t memory[];

// Sizes are constants, as in percycle's kernels.
template <uint32_t local, uint32_t size>
__global__ void mark_local(uint32_t* y, uint32_t factor) {
  constexpr uint32_t last = local / 4 - 1;
  memory[last - threadIdx.x] = factor;
  __syncthreads();
  const uint32_t found = memory[last - (threadIdx.x + 1) % size];
  if (threadIdx.x == 0) y[blockIdx.x] = found + blockIdx.x;
}

__global__ void axpy(const uint4* x, uint4* y, uint32_t a) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4 u = x[i];
  uint4 v = y[i];
  v.x += a * u.x;
  v.y += a * u.y;
  v.z += a * u.z;
  v.w += a * u.w;
  y[i] = v;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

cudaStream_t stream;
uint32_t* y;
cudaEvent_t begin_event, end_event;

/// Device time of some work in the stream.
template <typename Work>
double timed(const Work& work) {
  cudaEventRecord(begin_event, stream);
  work();
  cudaEventRecord(end_event, stream);
  cudaEventSynchronize(end_event);
  float ms = 0;
  cudaEventElapsedTime(&ms, begin_event, end_event);
  return 1e6 * ms;
}

/// Work-groups started per ns, beyond a launch of one.
template <typename Launch>
double groups_per_ns(const Launch& launch, uint32_t groups) {
  std::vector<double> samples, single;
  for (int i = 0; i < 15; ++i) {
    single.push_back(timed([&] { launch(1); }));
    samples.push_back(timed([&] { launch(groups); }));
  }
  return groups / (median(samples) - median(single));
}

/// The same as a graph of `launches` kernels, one after the other.
template <typename Launch>
double graph_per_launch(const Launch& launch, int launches) {
  std::vector<double> results;
  double single = 0;
  for (const int count : {1, launches}) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < count; ++i) launch();
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    std::vector<double> samples;
    for (int i = 0; i < 15; ++i) samples.push_back(timed([&] { cudaGraphLaunch(executable, stream); }));
    if (count == 1) single = median(samples);
    else results.push_back((median(samples) - single) / (launches - 1));
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
  }
  return results.front();
}

template <typename Launch>
double stream_per_launch(const Launch& launch, int launches) {
  double single = 0, all = 0;
  for (const int count : {1, launches}) {
    std::vector<double> samples;
    for (int i = 0; i < 15; ++i) samples.push_back(timed([&] { for (int j = 0; j < count; ++j) launch(); }));
    (count == 1 ? single : all) = median(samples);
  }
  return (all - single) / (launches - 1);
}

template <uint32_t local>
int local_groups(int kib, uint32_t all) {
  const auto kernel = mark_local<local, 128>;
  const int percent = kib == 0 ? -1 : 100 * kib / 228;  // the driver takes the next possible split
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
  int resident = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, 128, local));
  const double rate = groups_per_ns([&](uint32_t groups) { kernel<<<groups, 128, local, stream>>>(y, 1); }, all);
  std::printf("groups size 128 local %u of %d KiB: %.4f per ns, at most %d in an SM\n", local, kib, rate, resident);
  return 0;
}

int main() {
  CHECK(cudaSetDevice(0));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&begin_event));
  CHECK(cudaEventCreate(&end_event));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("device %s\n", properties.name);
  constexpr uint32_t kGroups = 1 << 21;
  uint32_t* x;
  constexpr size_t kBytes = 64 << 20;
  CHECK(cudaMalloc(&y, kBytes));
  CHECK(cudaMalloc(&x, kBytes));
  CHECK(cudaMemset(y, 0, kBytes));
  CHECK(cudaMemset(x, 1, kBytes));
  const double until = now_ns() + 5e8;
  while (now_ns() < until) axpy<<<16384, 256, 0, stream>>>((uint4*)x, (uint4*)y, 3), cudaStreamSynchronize(stream);

  std::vector<double> trips;
  for (int i = 0; i < 3000; ++i) {
    const double begin = now_ns();
    count<<<1, 1, 0, stream>>>(y);
    cudaStreamSynchronize(stream);
    trips.push_back(now_ns() - begin);
  }
  std::printf("round-trip %.0f ns\n", median(trips));
  const auto one = [&] { count<<<1, 1, 0, stream>>>(y); };
  std::printf("dependent stream %.0f ns\n", stream_per_launch(one, 4096));
  std::printf("dependent graph %.0f ns\n", graph_per_launch(one, 1024));
  for (const uint32_t size : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    const double rate = groups_per_ns([&](uint32_t groups) { mark<<<groups, size, 0, stream>>>(y, 1); }, kGroups);
    std::printf("groups size %u local 0: %.4f per ns\n", size, rate);
  }
  for (const uint32_t size : {512u, 1024u}) {
    std::printf("groups size %u, kernel of nothing: %.4f per ns\n", size,
                groups_per_ns([&](uint32_t groups) { nothing<<<groups, size, 0, stream>>>(); }, kGroups));
    std::printf("groups size %u, strong store: %.4f per ns\n", size,
                groups_per_ns([&](uint32_t groups) { mark_strong<<<groups, size, 0, stream>>>(y, 1); }, kGroups));
  }
  for (const int kib : {0, 100, 228}) {  // local memory of an SM; 0: the driver chooses
    if (local_groups<4096>(kib, kGroups) + local_groups<16384>(kib, kGroups) + local_groups<49152>(kib, kGroups) > 0) return 1;
  }
  for (size_t bytes = 16384; bytes <= kBytes; bytes *= 4) {  // of both arrays, the sizes of percycle
    const auto launch = [&] { axpy<<<bytes / 8192, 256, 0, stream>>>((uint4*)x, (uint4*)y, 3); };
    std::printf("axpy %zu: stream %.0f ns, graph %.0f ns\n", bytes, stream_per_launch(launch, 512), graph_per_launch(launch, 512));
  }
  CHECK(cudaDeviceSynchronize());
  return 0;
}
