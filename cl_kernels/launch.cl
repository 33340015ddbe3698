// Kernels of almost no work. COUNT: a work-group adds 1 to a counter and reads no parameter. STAMP:
// it also reads the clock around that. MARK: it leaves a mark, and uses the last of LOCAL_WORDS
// words of local memory without bank conflicts. WIDTH: y = a x + y with loads of so many bytes.
// Twin of shaders/launch.comp.

#if WIDTH == 4
#define VECTOR uint
#elif WIDTH == 8
#define VECTOR uint2
#else
#define VECTOR uint4
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void launch(__global const VECTOR *x, __global VECTOR *y,
                                                                              Parameters p) {
  const uint lane = (uint)get_local_id(0);
#if defined(COUNT)
  if (lane == 0) atomic_inc((__global uint *)y);
#elif defined(STAMP)
  const ulong begin = percycle_device_clock();
  atomic_inc((__global uint *)y);
  ((__global ulong *)y)[2] = begin;
  ((__global ulong *)y)[3] = percycle_device_clock();
#elif defined(MARK)
  uint mark = p.factor;
#ifdef LOCAL_WORDS
  __local uint memory[LOCAL_WORDS];
  memory[LOCAL_WORDS - 1 - lane] = mark;
  barrier(CLK_LOCAL_MEM_FENCE);
  mark = memory[LOCAL_WORDS - 1 - (lane + 1) % LOCAL_SIZE];
#endif
  if (lane == 0) ((__global uint *)y)[get_group_id(0)] = mark + (uint)get_group_id(0);
#else
  const uint i = (uint)get_global_id(0);
  y[i] = p.factor * x[i] + y[i];
#endif
}
