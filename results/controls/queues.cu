// Two kernels of dependent arithmetic, each with a block for every second SM: the time of both alone
// over their time together, in one stream and in two, and the ratio of their times. Then launches
// that wait for each other, in one stream and in two by events, and what an event adds. Medians of 11.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void chain(unsigned* sums, unsigned loops, unsigned multiply, unsigned add) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = i + 1;
  for (unsigned loop = 0; loop < loops; ++loop) {
#pragma unroll
    for (int j = 0; j < 32; ++j) x = x * multiply + add;
  }
  atomicAdd(sums + i, x);
}

struct Run {
  cudaStream_t streams[2];
  cudaEvent_t begin[2], end[2];
  unsigned* sums;
  int blocks;

  void launch(int stream, unsigned loops) const {
    chain<<<blocks, 256, 0, streams[stream]>>>(sums, loops, 1664525u, 1013904223u);
  }
};

double ms(cudaEvent_t begin, cudaEvent_t end) {
  float found = 0;
  cudaEventElapsedTime(&found, begin, end);
  return found;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int main() {
  constexpr unsigned kLoops = 1 << 16, kChain = 256;
  cudaDeviceProp card;
  cudaGetDeviceProperties(&card, 0);
  Run run{.blocks = card.multiProcessorCount / 2};
  for (int i = 0; i < 2; ++i) {
    cudaStreamCreateWithFlags(&run.streams[i], cudaStreamNonBlocking);
    cudaEventCreate(&run.begin[i]);
    cudaEventCreate(&run.end[i]);
  }
  cudaMalloc(&run.sums, 256 * sizeof(unsigned) * run.blocks);
  std::printf("%s, CUDA %d: overlap, fairness\n", card.name, CUDART_VERSION);
  for (const bool two : {false, true}) {
    std::vector<double> overlaps, fairness;
    for (int sample = 0; sample < 12; ++sample) {
      cudaEventRecord(run.begin[0], run.streams[0]);
      run.launch(0, kLoops);
      cudaEventRecord(run.end[0], run.streams[0]);
      cudaDeviceSynchronize();
      const double alone = ms(run.begin[0], run.end[0]);
      for (int i = 0; i < 2; ++i) {
        const int stream = two ? i : 0;
        cudaEventRecord(run.begin[i], run.streams[stream]);
        run.launch(stream, kLoops);
        cudaEventRecord(run.end[i], run.streams[stream]);
      }
      cudaDeviceSynchronize();
      if (sample == 0) continue;  // prepares
      const double both = std::max(ms(run.begin[0], run.end[0]), ms(run.begin[0], run.end[1]));
      const double first = ms(run.begin[0], run.end[0]), second = ms(run.begin[1], run.end[1]);
      overlaps.push_back(2 * alone / both);
      fairness.push_back(std::min(first, second) / std::max(first, second));
    }
    std::printf("%s %8.3f %8.3f\n", two ? "two" : "one", median(overlaps), median(fairness));
  }
  cudaEvent_t after[kChain];
  for (auto& event : after) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  double ns[2] = {};
  for (const bool two : {false, true}) {
    std::vector<double> each;
    for (int sample = 0; sample < 12; ++sample) {
      cudaEventRecord(run.begin[0], run.streams[0]);
      for (unsigned i = 0; i < kChain; ++i) {
        const int stream = two ? i % 2 : 0;
        if (two && i > 0) cudaStreamWaitEvent(run.streams[stream], after[i - 1], 0);
        run.launch(stream, 0);
        if (two) cudaEventRecord(after[i], run.streams[stream]);
      }
      cudaEventRecord(run.end[0], run.streams[two ? (kChain - 1) % 2 : 0]);
      cudaDeviceSynchronize();
      if (sample > 0) each.push_back(1e6 * ms(run.begin[0], run.end[0]) / kChain);
    }
    ns[two] = median(each);
  }
  std::printf("ns per launch that waits: one %.0f, two %.0f, event %.0f\n", ns[0], ns[1], ns[1] - ns[0]);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
