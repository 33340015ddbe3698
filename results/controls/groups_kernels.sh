#!/bin/bash
# Kernels of groups.cpp for Vulkan in FOLDER, by glslangValidator: groups_kernels.sh FOLDER
# Twins of groups.cu. Their buffer is an address, whose accesses have no bounds; that of `bounded`
# is a descriptor.
set -euo pipefail
cd -- "$1"
make() {  # NAME SIZE LOCAL BODY
  {
    echo "#version 450"
    printf '#extension %s : require\n' GL_NV_shader_sm_builtins GL_ARB_shader_clock GL_ARB_gpu_shader_int64 \
      GL_EXT_buffer_reference GL_EXT_buffer_reference_uvec2
    echo "#define y Words(p.address).word"
    cat <<END
layout(local_size_x = $2) in;
layout(buffer_reference, std430) buffer Words { uint word[]; };
layout(set = 0, binding = 0) buffer Bounded { uint bounded[]; };
layout(push_constant) uniform P { uint factor; uint none; uvec2 address; } p;
const uint kLocal = $3u;
shared uint memory[$3 == 0 ? 1 : $3 / 4];
void main() {
  const uint lane = gl_LocalInvocationID.x, group = gl_WorkGroupID.x;
  $4
}
END
  } >"$1_$2_$3.comp"
  glslangValidator --quiet -V --target-env vulkan1.2 -o "$1_$2_$3.spv" "$1_$2_$3.comp"
  rm "$1_$2_$3.comp"
}
residents='if (lane != 0u) return; const uint unit = gl_SMIDNV, others = atomicAdd(y[unit], 1u); atomicMax(y[256u + unit], others + 1u);
  const uint from = clock2x32ARB().x; while (clock2x32ARB().x - from < 40000u) {} memoryBarrier(); atomicAdd(y[unit], 0xffffffffu);'
for size in 512 1024; do
  make empty $size 0 ""
  make mark $size 0 "if (lane == 0u) y[group] = p.factor + group;"
  make bounded $size 0 "if (lane == 0u) bounded[group] = p.factor + group;"
done
make resident 1024 0 "$residents"
for local in 4096 16384 49152; do
  make spread 128 $local "memory[lane * (kLocal / 512u)] = p.factor; barrier();
  const uint found = memory[(lane + 1u) % 128u * (kLocal / 512u)]; if (lane == 0u) y[group] = found + group;"
  make dense 128 $local "memory[kLocal / 4u - 1u - lane] = p.factor; barrier();
  const uint found = memory[kLocal / 4u - 1u - (lane + 1u) % 128u]; if (lane == 0u) y[group] = found + group;"
  make resident 128 $local "memory[lane] = p.factor; barrier(); if (memory[lane ^ 1u] != p.factor) return; $residents"
done
step() {  # NAME BODY
  make "$1" 32 49152 "if (p.factor == 12345u) { memory[lane] = y[0]; barrier(); y[1] = memory[lane ^ 1u]; } $2"
}
step none ""
step load "if (y[group * 32u + lane] == 4000000000u) y[0] = 3u;"
step all "y[group * 32u + lane] = p.factor + group;"
step one "if (lane == 0u) y[group * 32u] = p.factor + group;"
step leave "if (lane != 0u) return; if (clock2x32ARB().x == 12345u) y[1] = 2u;"
step stay "if (clock2x32ARB().x == 12345u) y[1] = 2u;"
