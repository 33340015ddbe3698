#!/bin/bash
# Kernels of launch_vulkan.cpp in FOLDER, by glslangValidator: launch_kernels.sh FOLDER
# Work-groups of SIZE: empty-SIZE does nothing, mark-SIZE writes a word for each group, push-SIZE
# adds a push constant to it, and local-SIZE declares 16 KiB of local memory beside it.
set -euo pipefail
cd -- "$1"
make() {  # NAME SIZE DECLARATIONS BODY
  printf '#version 450\nlayout(local_size_x = %s) in;\nlayout(set = 0, binding = 0) buffer Y { uint y[]; };\n%s\nvoid main() { %s }\n' \
    "$2" "$3" "$4" >"$1.comp"
  glslangValidator --quiet -V --target-env vulkan1.1 -o "$1.spv" "$1.comp"
}
push='layout(push_constant) uniform P { uint factor; } p;'
lane='if (gl_LocalInvocationID.x == 0u)'
make count 1 "" 'atomicAdd(y[0], 1u);'
make count-push 1 "$push" 'atomicAdd(y[0], p.factor);'
# The clock of the device at the first and the last instruction, in 64-bit words.
cat >stamp.comp <<'GLSL'
#version 450
#extension GL_EXT_shader_realtime_clock : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Y { uint count; uint unused; uint64_t first; uint64_t last; } y;
void main() {
  uint64_t first = clockRealtimeEXT();
  atomicAdd(y.count, 1u);
  y.first = first;
  y.last = clockRealtimeEXT();
}
GLSL
glslangValidator --quiet -V --target-env vulkan1.1 -o stamp.spv stamp.comp
for size in 32 64 128 256 512 1024; do
  make empty-$size $size "" ""
  make mark-$size $size "" "$lane y[gl_WorkGroupID.x] = gl_WorkGroupID.x;"
  make push-$size $size "$push" "$lane y[gl_WorkGroupID.x] = p.factor + gl_WorkGroupID.x;"
done
for size in 128 1024; do
  make local-$size $size "shared uint memory[4096];" \
    "memory[gl_LocalInvocationID.x] = y[0]; barrier(); $lane y[gl_WorkGroupID.x] = memory[1];"
done
