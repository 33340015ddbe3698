// Cycles of a branch on a lane's bit, by the lanes that take each side and the operations of a
// side: additions and ANDs on one side, additions and ORs on the other, all dependent. A control
// loop only adds up the bits. One warp; the fewest cycles of five launches.
#include <algorithm>
#include <cstdio>

template <int operations, bool branches>
__global__ void turn(const unsigned* words, unsigned* out, unsigned loops, unsigned add, unsigned mask, unsigned never) {
  const unsigned word = words[threadIdx.x];
  unsigned x = out[threadIdx.x];
  if (x == never) return;
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < loops; ++i) {
    const unsigned bit = (word >> (i & 31u)) & 1u;
    if (!branches) {
      x += bit;
    } else if (bit) {
#pragma unroll
      for (int j = 0; j < operations / 2; ++j) x = (x + add) & mask;
    } else {
#pragma unroll
      for (int j = 0; j < operations / 2; ++j) x = (x + mask) | add;
    }
  }
  if (x == never) return;
  const long long end = clock64();
  out[threadIdx.x] = x & 0xff;  // no launch begins with `never`
  if (threadIdx.x == 0) *reinterpret_cast<long long*>(out + 32) = end - begin;
}

template <int operations, bool branches>
double cycles(const unsigned* words, unsigned* out) {
  constexpr unsigned kLoops = 4096;
  long long least = 1ll << 60;
  for (int launch = 0; launch < 5; ++launch) {
    turn<operations, branches><<<1, 32>>>(words, out, kLoops, 0x11u, 0x7fffffffu, 12345u);
    long long found = 0;
    cudaMemcpy(&found, out + 32, 8, cudaMemcpyDeviceToHost);
    least = std::min(least, found);
  }
  return double(least) / kLoops;
}

int main() {
  cudaDeviceProp card;
  cudaGetDeviceProperties(&card, 0);
  unsigned *words, *out;
  cudaMalloc(&words, 128);
  cudaMalloc(&out, 256);
  cudaMemset(out, 0, 256);
  std::printf("%s, CUDA %d: cycles of a turn; control; 2, 4, 16, 64 operations\n", card.name, CUDART_VERSION);
  for (const unsigned taken : {0u, 1u, 8u, 16u, 24u, 31u, 32u}) {
    unsigned host[32];
    // Every bit of a word is the same, so all turns cost the same.
    for (unsigned lane = 0; lane < 32; ++lane) host[lane] = lane < taken ? ~0u : 0u;
    cudaMemcpy(words, host, 128, cudaMemcpyHostToDevice);
    std::printf("%2u lanes %8.2f %8.2f %8.2f %8.2f %8.2f\n", taken, cycles<2, false>(words, out), cycles<2, true>(words, out),
                cycles<4, true>(words, out), cycles<16, true>(words, out), cycles<64, true>(words, out));
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
