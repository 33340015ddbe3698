// Dependent launches of a CUDA stream that the host has enqueued before the first one begins, and
// of a graph: nvcc -O3 -o queued_launches queued_launches.cu && ./queued_launches
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void count(uint32_t* y) {
  if (threadIdx.x == 0) atomicAdd(y, 1u);
}

__global__ void wait_for(const volatile uint32_t* flag) {
  while (*flag == 0) {
  }
}

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(1);
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int main() {
  constexpr int kLaunches = 256;  // fewer than the driver's queue holds
  cudaStream_t stream;
  cudaEvent_t begin, end;
  uint32_t *y, *flag;
  check(cudaStreamCreate(&stream));
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaMalloc(&y, 4));
  check(cudaMemset(y, 0, 4));
  check(cudaHostAlloc(&flag, 4, cudaHostAllocMapped));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < kLaunches; ++i) count<<<1, 32, 0, stream>>>(y);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));
  // Behind a kernel that waits for the host, the device alone decides how launches follow each other.
  const auto queued_ns = [&](const auto& work) {
    *(volatile uint32_t*)flag = 0;
    wait_for<<<1, 1, 0, stream>>>(flag);
    check(cudaEventRecord(begin, stream));
    work();
    check(cudaEventRecord(end, stream));
    *(volatile uint32_t*)flag = 1;
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    return 1e6 * ms;
  };
  for (int i = 0; i < 200; ++i) {  // the clock rises
    for (int j = 0; j < 1000; ++j) count<<<1, 32, 0, stream>>>(y);
    check(cudaStreamSynchronize(stream));
  }
  check(cudaMemset(y, 0, 4));
  std::vector<double> one, queued, in_graph;
  for (int round = 0; round < 30; ++round) {
    one.push_back(queued_ns([&] { count<<<1, 32, 0, stream>>>(y); }));
    queued.push_back(queued_ns([&] {
      for (int i = 0; i < kLaunches; ++i) count<<<1, 32, 0, stream>>>(y);
    }));
    in_graph.push_back(queued_ns([&] { check(cudaGraphLaunch(executable, stream)); }));
  }
  uint32_t counted = 0;
  check(cudaMemcpy(&counted, y, 4, cudaMemcpyDeviceToHost));
  std::printf("stream, enqueued before: %.0f ns per launch; graph: %.0f ns; %u launches counted, %d expected\n",
              (median(queued) - median(one)) / (kLaunches - 1), (median(in_graph) - median(one)) / (kLaunches - 1), counted,
              30 * (2 * kLaunches + 1));
}
