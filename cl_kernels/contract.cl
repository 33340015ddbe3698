// Uses every kind of binding once; the device contract suite holds both APIs to it.
// out[i] = plain[i] * MUL + addressed[i] + texels[i].x + plane[i].x + p.add + constants[i & 1].y
#ifdef BROKEN
#error this kernel is broken on purpose
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void contract(
    __global const uint *plain, __global const uint *addressed, __read_only image1d_buffer_t texels, __global uint *out,
    __read_only image2d_t plane, Parameters p) {
  const uint i = (uint)get_global_id(0);
  if (i >= p.n) return;
  const int2 place = (int2)((int)(i % PLANE_WIDTH), (int)(i / PLANE_WIDTH));
  out[i] = plain[i] * MUL + addressed[i] + read_imageui(texels, (int)i).x + read_imageui(plane, place).x + p.add +
           constants[i & 1u].y;
}
