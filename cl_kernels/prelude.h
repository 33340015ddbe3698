// Precedes every kernel, after its definitions. Both APIs define LOCAL_SIZE (the work-group size)
// and, as 0 or 1, HAS_UNIT_CLOCK, HAS_DEVICE_CLOCK and HAS_UNIT_ID. The functions
// percycle_unit_clock() and percycle_device_clock() return 64-bit counts (`ulong`, in GLSL `uvec2`
// low-high), percycle_unit_id() a `uint`; each returns 0 if the device lacks it. After the prelude
// come the constants and the parameter block `p` (KernelDesc::parameters).
//
// The host defines UNIT_CLOCK and DEVICE_CLOCK as one of:
#define CLOCK_NONE 0
// PTX ISA, "Special Registers": %clock64 (cycles of the SM), %globaltimer (nanoseconds).
#define CLOCK_PTX 1
#define CLOCK_AMDGCN 2          // GCN, CDNA, RDNA 1 and 2 ISA, S_MEMTIME: "64-bit clock counter"
// OpenCL extension cl_khr_kernel_clock; the driver chooses the unit of its ticks.
#define CLOCK_KHR_SUB_GROUP 3
#define CLOCK_KHR_WORK_GROUP 4  // the same
#define CLOCK_KHR_DEVICE 5      // the same

#ifdef cl_khr_kernel_clock
#pragma OPENCL EXTENSION cl_khr_kernel_clock : enable
#endif

// The memory clobbers (with `volatile`) keep reads in program order with each other and with memory
// accesses.
#define PERCYCLE_PTX_REGISTER(name)                                        \
  ulong ticks;                                                             \
  __asm__ volatile("mov.u64 %0, %%" name ";" : "=l"(ticks) : : "memory"); \
  return ticks;

ulong percycle_unit_clock(void) {
#if UNIT_CLOCK == CLOCK_PTX
  PERCYCLE_PTX_REGISTER("clock64")
#elif UNIT_CLOCK == CLOCK_AMDGCN
  __asm__ volatile("" : : : "memory");
  const ulong ticks = __builtin_amdgcn_s_memtime();
  __asm__ volatile("" : : : "memory");
  return ticks;
#elif UNIT_CLOCK == CLOCK_KHR_SUB_GROUP
  return clock_read_sub_group();
#elif UNIT_CLOCK == CLOCK_KHR_WORK_GROUP
  return clock_read_work_group();
#else
  return 0;
#endif
}

// Waits for all of a work-group before any of them reads a clock after it. Two barriers: NVIDIA's
// read of a clock directly after one does not wait for it (BAR.SYNC.DEFER_BLOCKING, CS2R) and so
// gives its own subgroup's arrival. After the second one all have left the first.
#define PERCYCLE_ALL_HERE()                               \
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); \
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

// Whether it holds for the work-items of a subgroup that still run; callers have one. On AMD the
// answer is uniform in the subgroup, so that code after a branch on it stays uniform.
bool percycle_any(bool holds) {
#if defined(__AMDGCN__)
  return __builtin_amdgcn_readfirstlane(holds) != 0;
#else
  return holds;
#endif
}

// Number of the unit that runs the work-item (NVIDIA: the SM); 0 if HAS_UNIT_ID is 0.
uint percycle_unit_id(void) {
#if HAS_UNIT_ID
  uint id;
  __asm__ volatile("mov.u32 %0, %%smid;" : "=r"(id));  // PTX ISA, "Special Registers"
  return id;
#else
  return 0;
#endif
}

ulong percycle_device_clock(void) {
#if DEVICE_CLOCK == CLOCK_PTX
  PERCYCLE_PTX_REGISTER("globaltimer")
#elif DEVICE_CLOCK == CLOCK_KHR_DEVICE
  return clock_read_device();
#else
  return 0;
#endif
}

// Ends the timed part: waits for the work-group and reads both clocks. Invocation 0 writes
// the group's GroupStamp (src/core/sample.hpp).
#define PERCYCLE_STAMP_GROUP(stamps, local_id, unit_begin, device_begin) \
  PERCYCLE_ALL_HERE();                                                   \
  const ulong unit_end = percycle_unit_clock();                          \
  const ulong device_end = percycle_device_clock();                      \
  if (local_id == 0) {                                                   \
    __global ulong *stamp = stamps + 5 * get_group_id(0);                \
    stamp[0] = unit_begin;                                               \
    stamp[1] = unit_end;                                                 \
    stamp[2] = device_begin;                                             \
    stamp[3] = device_end;                                               \
    stamp[4] = percycle_unit_id();                                       \
  }

// Word i of incompressible data is lowbias32(i ^ salt); the twin of src/core/data_words.hpp, which
// names the source.
uint lowbias32(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
