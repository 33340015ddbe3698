// Latency under load: one lane of block 0 walks a random chain while the other blocks, one per SM,
// read, write or copy their own slice. Block 0 notes the turns of all warps right before and right
// after the walk, so bytes and time belong to the same interval. A mover looks at the state of the
// walk before the loads of a tile and uses the answer behind them. A row for each level, operation
// and pause: cycles per load, GB/s of the movers; medians of 11 launches.
#include <cstdint>
#include <cstdio>
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

constexpr unsigned kUnroll = 4, kStride = 128, kSpan = 32;
constexpr unsigned kAbsent = 0, kPresent = 1, kEnded = 2;

__device__ unsigned long long realtime() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// As the kernels of percycle: in order, by the L2.
__device__ uint4 load(const uint4* from) {
  uint4 v;
  asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
  return v;
}

struct Marks {
  volatile unsigned* flags;  // a word per mover, kSpan words apart
  volatile unsigned* turns;  // a word per warp of a mover
};

template <int operation>
__global__ void loaded(const char* chain, uint4* data, unsigned long long* out, Marks marks, unsigned movers, unsigned tiles,
                       unsigned pause, unsigned long long start, unsigned warm, unsigned loads, unsigned* sums,
                       unsigned multiply, unsigned add) {
  const unsigned lane = threadIdx.x, warps = blockDim.x / 32;
  if (blockIdx.x == 0) {
    for (unsigned i = lane; i < movers; i += blockDim.x) marks.flags[i * kSpan] = kPresent;
    const unsigned rows = movers * warps;
    __shared__ unsigned notes[132 * 32];
    for (unsigned i = lane; i < rows; i += blockDim.x) {
      while (marks.turns[i / warps * kSpan + i % warps] == 0) {
      }
    }
    __syncthreads();
    const char* at = chain + start;
    if (lane == 0) {
      for (unsigned i = 0; i < warm; ++i) at = *reinterpret_cast<const char* const volatile*>(at);
      if (at == nullptr) out[5] = 1;
    }
    __syncthreads();
    for (unsigned i = lane; i < rows; i += blockDim.x) notes[i] = marks.turns[i / warps * kSpan + i % warps];
    if (lane == 0) {
      const unsigned long long began = realtime();
      const long long begin = clock64();
      for (unsigned i = 0; i < loads; i += 32) {
#pragma unroll
        for (unsigned j = 0; j < 32; ++j) at = *reinterpret_cast<const char* const volatile*>(at);
      }
      if (at == nullptr) out[5] = 1;
      out[0] = clock64() - begin;
      out[1] = realtime() - began;
    }
    __syncthreads();
    __threadfence_block();
    for (unsigned i = lane; i < rows; i += blockDim.x) notes[i] = marks.turns[i / warps * kSpan + i % warps] - notes[i];
    __syncthreads();
    for (unsigned i = lane; i < movers; i += blockDim.x) marks.flags[i * kSpan] = kEnded;
    if (lane == 0) {
      unsigned long long moved = 0;
      for (unsigned i = 0; i < rows; ++i) moved += notes[i];
      out[2] = moved;
    }
    return;
  }
  const unsigned mover = blockIdx.x - 1;
  const size_t tile_size = size_t(blockDim.x) * kUnroll;
  const size_t first = size_t(mover) * tiles * tile_size + lane;
  const uint4* from = data + first;
  uint4* to = data + (operation == 2 ? size_t(movers) * tiles * tile_size : 0) + first;
  unsigned state;
  while ((state = marks.flags[mover * kSpan]) == kAbsent) {
  }
  uint4 sum = {0, 0, 0, 0};
  unsigned idle = lane, tile = 0;
  for (unsigned turn = 0; state != kEnded; ++turn) {
    state = marks.flags[mover * kSpan];
    const size_t base = tile * tile_size;
    uint4 turned = {0, 0, 0, 0};
#pragma unroll
    for (unsigned j = 0; j < kUnroll; ++j) {
      const size_t at = base + j * blockDim.x;
      if (operation == 0) {
        const uint4 v = load(from + at);
        turned = {turned.x ^ v.x, turned.y ^ v.y, turned.z ^ v.z, turned.w ^ v.w};
      } else if (operation == 1) {
        // Incompressible words.
        const unsigned word = (lane + j * blockDim.x + mover * 977u + turn * 31u) * 2654435761u;
        to[at] = {word, word * 3, word * 5, word * 7};
      } else {
        to[at] = load(from + at);
      }
    }
    sum = {sum.x * 5 + turned.x, sum.y * 5 + turned.y, sum.z * 5 + turned.z, sum.w * 5 + turned.w};
    tile = tile + 1 == tiles ? 0 : tile + 1;
    if (lane % 32 == 0) marks.turns[mover * kSpan + lane / 32] = turn + 1;
    for (unsigned i = 0; i < pause; ++i) {
#pragma unroll
      for (int j = 0; j < 32; ++j) idle = idle * multiply + add;
    }
  }
  sums[mover * blockDim.x + lane] = sum.x + sum.y + sum.z + sum.w + idle;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int main() {
  cudaDeviceProp card;
  cudaGetDeviceProperties(&card, 0);
  const unsigned movers = card.multiProcessorCount - 1;
  std::printf("%s, CUDA %d, %u movers\n", card.name, CUDART_VERSION, movers);
  std::printf("level  operation load      cycles        GB/s\n");
  unsigned *flags, *turns, *sums;
  unsigned long long* out;
  cudaMalloc(&flags, movers * kSpan * 4);
  cudaMalloc(&turns, movers * kSpan * 4);
  cudaMalloc(&sums, movers * 1024 * 4);
  cudaMalloc(&out, 64);
  for (const bool in_memory : {false, true}) {
    const size_t chain_bytes = in_memory ? size_t(512) << 20 : size_t(4) << 20, nodes = chain_bytes / kStride;
    char* chain;
    cudaMalloc(&chain, chain_bytes);
    std::vector<unsigned> order(nodes);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(42));
    std::vector<uint64_t> words(chain_bytes / 8);
    for (size_t i = 0; i < nodes; ++i)
      words[size_t(order[i]) * kStride / 8] = reinterpret_cast<uint64_t>(chain) + size_t(order[(i + 1) % nodes]) * kStride;
    cudaMemcpy(chain, words.data(), chain_bytes, cudaMemcpyHostToDevice);
    for (int operation = 0; operation < 3; ++operation) {
      const unsigned block = !in_memory && operation == 2 ? 512 : 1024;
      const size_t tile = size_t(block) * kUnroll * 16;
      const size_t room = in_memory ? size_t(1) << 30 : size_t(14) << 20;
      const unsigned regions = operation == 2 ? 2 : 1;
      const unsigned tiles = in_memory ? unsigned(room / (regions * movers * tile)) : 1;
      uint4* data;
      cudaMalloc(&data, size_t(regions) * movers * tiles * tile);
      std::vector<uint32_t> noise(size_t(regions) * movers * tiles * tile / 4);
      std::mt19937 random(7);
      for (auto& word : noise) word = random();
      cudaMemcpy(data, noise.data(), noise.size() * 4, cudaMemcpyHostToDevice);
      for (const unsigned load : {0u, 10u, 30u, 50u, 70u, 90u, 100u}) {
        const unsigned active = load == 0 ? 0 : movers;
        const unsigned pause = load == 0 ? 0 : unsigned((tile / 16 * (100 - load) / load + 127) / 128);
        std::vector<double> cycles, rates;
        for (int launch = 0; launch < 12; ++launch) {
          cudaMemset(flags, 0, movers * kSpan * 4);
          cudaMemset(turns, 0, movers * kSpan * 4);
          const unsigned warm = in_memory ? 256 : unsigned(2 * nodes);
          const unsigned loads = in_memory ? 4096 : 8192;
          const unsigned long long start = size_t(order[size_t(launch) * 8192 % nodes]) * kStride;
          const Marks marks{flags, turns};
          const auto kernel = operation == 0 ? loaded<0> : operation == 1 ? loaded<1> : loaded<2>;
          kernel<<<1 + active, block>>>(chain, data, out, marks, active, tiles, pause, start, warm, loads, sums, 1664525u, 1013904223u);
          unsigned long long found[3];
          cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
          if (launch == 0) continue;
          cycles.push_back(double(found[0]) / loads);
          rates.push_back(double(found[2]) * 32 * kUnroll * 16 * regions / double(found[1]));
        }
        static const char* const names[] = {"read", "write", "copy"};
        std::printf("%-6s %-9s %4u %11.1f %11.1f\n", in_memory ? "memory" : "L2", names[operation], load, median(cycles),
                    median(rates));
      }
      cudaFree(data);
    }
    cudaFree(chain);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
