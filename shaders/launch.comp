// Kernels of almost no work. COUNT: a work-group adds 1 to a counter and reads no parameter. STAMP:
// it also reads the clock around that. MARK: it leaves a mark, and uses the last of LOCAL_WORDS
// words of local memory without bank conflicts. WIDTH: y = a x + y with loads of so many bytes.
// Twin of cl_kernels/launch.cl.

#if !defined(WIDTH) || WIDTH == 4
#define VECTOR uint
#elif WIDTH == 8
#define VECTOR uvec2
#else
#define VECTOR uvec4
#endif
layout(std430, set = 0, binding = 0) readonly buffer X { VECTOR x[]; };
layout(std430, set = 0, binding = 1) buffer Y { VECTOR y[]; };

#ifdef LOCAL_WORDS
shared uint memory[LOCAL_WORDS];
#endif

void main() {
  const uint lane = gl_LocalInvocationID.x;
#if defined(COUNT)
  if (lane == 0u) atomicAdd(y[0], 1u);
#elif defined(STAMP)
  const uvec2 begin = percycle_device_clock();
  atomicAdd(y[0], 1u);
  y[4] = begin.x;
  y[5] = begin.y;
  const uvec2 end = percycle_device_clock();
  y[6] = end.x;
  y[7] = end.y;
#elif defined(MARK)
  uint mark = p.factor;
#ifdef LOCAL_WORDS
  memory[LOCAL_WORDS - 1u - lane] = mark;
  barrier();
  mark = memory[LOCAL_WORDS - 1u - (lane + 1u) % LOCAL_SIZE];
#endif
  if (lane == 0u) y[gl_WorkGroupID.x] = mark + gl_WorkGroupID.x;
#else
  const uint i = gl_GlobalInvocationID.x;
  y[i] = p.factor * x[i] + y[i];
#endif
}
