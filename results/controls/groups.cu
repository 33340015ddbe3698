// Kernels of groups.cpp for CUDA: nvcc -O3 -arch=sm_90 -cubin -o kernels.cubin groups.cu
// FORM_SIZE_LOCAL: work-groups of SIZE invocations with LOCAL bytes of local memory. Twins in
// groups_kernels.sh.
#include <cstdint>

#define KERNEL extern "C" __global__ void
#define LANE threadIdx.x
#define GROUP blockIdx.x

__device__ uint32_t clock_now() {
  uint32_t time;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(time)::"memory");
  return time;
}

__device__ uint32_t unit() {
  uint32_t number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

/// The most work-groups at a time in each unit: y[256 + unit].
__device__ void count_residents(uint32_t* y) {
  if (LANE != 0) return;
  const uint32_t at = unit(), others = atomicAdd(&y[at], 1u);
  atomicMax(&y[256 + at], others + 1);
  const uint32_t from = clock_now();
  while (clock_now() - from < 40000) {
  }
  __threadfence();
  atomicSub(&y[at], 1u);
}

#define NO_LOCAL(size)                                                                                   \
  KERNEL empty_##size##_0(uint32_t* y, uint32_t factor) {}                                               \
  KERNEL mark_##size##_0(uint32_t* y, uint32_t factor) { if (LANE == 0) y[GROUP] = factor + GROUP; }
NO_LOCAL(512)
NO_LOCAL(1024)
KERNEL resident_1024_0(uint32_t* y, uint32_t factor) { count_residents(y); }

// SPREAD: neighbours write words so far apart that they fill the memory, all in one bank. DENSE:
// neighbours write neighbouring words.
#define WITH_LOCAL(local)                                                                                \
  KERNEL spread_128_##local(uint32_t* y, uint32_t factor) {                                              \
    __shared__ uint32_t memory[local / 4];                                                               \
    memory[LANE * (local / 512)] = factor;                                                               \
    __syncthreads();                                                                                     \
    const uint32_t found = memory[(LANE + 1) % 128 * (local / 512)];                                     \
    if (LANE == 0) y[GROUP] = found + GROUP;                                                             \
  }                                                                                                      \
  KERNEL dense_128_##local(uint32_t* y, uint32_t factor) {                                               \
    __shared__ uint32_t memory[local / 4];                                                               \
    memory[local / 4 - 1 - LANE] = factor;                                                               \
    __syncthreads();                                                                                     \
    const uint32_t found = memory[local / 4 - 1 - (LANE + 1) % 128];                                     \
    if (LANE == 0) y[GROUP] = found + GROUP;                                                             \
  }                                                                                                      \
  KERNEL resident_128_##local(uint32_t* y, uint32_t factor) {                                            \
    __shared__ uint32_t memory[local / 4];                                                               \
    memory[LANE] = factor;                                                                               \
    __syncthreads();                                                                                     \
    if (memory[LANE ^ 1u] == factor) count_residents(y);                                                 \
  }
WITH_LOCAL(4096)
WITH_LOCAL(16384)
WITH_LOCAL(49152)

// Steps of a group of one subgroup, whose 48 KiB of local memory allow few of them in a unit.
#define STEP(name, body)                                                                                 \
  KERNEL name##_32_49152(uint32_t* y, uint32_t factor) {                                                 \
    __shared__ uint32_t memory[12288];                                                                   \
    if (factor == 12345u) {                                                                              \
      memory[LANE] = y[0];                                                                               \
      __syncthreads();                                                                                   \
      y[1] = memory[LANE ^ 1u];                                                                          \
    }                                                                                                    \
    body                                                                                                 \
  }
STEP(none, )
STEP(load, if (y[GROUP * 32 + LANE] == 4000000000u) y[0] = 3;)
STEP(all, y[GROUP * 32 + LANE] = factor + GROUP;)
STEP(one, if (LANE == 0) y[GROUP * 32] = factor + GROUP;)
STEP(leave, asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p exit; }" ::"r"(LANE)); if (clock_now() == 12345u) y[1] = 2;)
STEP(stay, if (clock_now() == 12345u) y[1] = 2;)
