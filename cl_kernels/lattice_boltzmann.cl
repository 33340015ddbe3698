// A step of D3Q19 in a periodic box: a cell takes the populations that stream to it, lets them
// collide (Bhatnagar, Gross, Krook) and writes them to the other box. ROLE_FILL writes the
// populations of src/expected/lattice_boltzmann.hpp. Twin of shaders/lattice_boltzmann.comp.
//
// A dispatch has as many groups as a step, times its steps. All steps do the same, so their order
// does not matter, and two overlapping steps write the same words. Numbers of groups and sides are
// powers of two, so bits of the index give the place. result_sums, which is not timed, checks the
// results.

#define ROLE_FILL 1
#define ROLE_TIMED 2

// Populations of direction i, from the cell at these places, which hold the bits of x, y and z.
#define PULL(i, x, y, z) f[i] = before[(i) * p.stride + (x) + (y) + (z)];

// Two opposite directions. `pull` is omega times their weight times the density.
#define COLLIDE(i, j, pull, velocity)                               \
  {                                                                 \
    const float along = (velocity);                                 \
    const float even = (pull) * fma(4.5f * along, along, base);     \
    const float odd = 3.0f * (pull) * along;                        \
    after[(i) * p.stride + cell] = fma(keep, f[i], even + odd);     \
    after[(j) * p.stride + cell] = fma(keep, f[j], even - odd);     \
  }

__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void lattice_boltzmann(__global float *before,
                                                                                        __global float *after,
                                                                                        Parameters p) {
  const uint cell = ((uint)get_group_id(0) & p.tile_mask) * LOCAL_SIZE + (uint)get_local_id(0);
#if ROLE == ROLE_FILL
  for (uint i = 0; i < 19; ++i) {
    const uint at = i * p.stride + cell;
    const uint units = i == 0 ? 349525u : i < 7 ? 58254u : 29127u;
    before[at] = (float)(units + (lowbias32(at ^ p.salt) & 0xfffu)) * 0x1p-20f;
  }
#else
  if (p.loops == 0) return;
  const uint x = cell & p.x_mask;
  const uint y = cell & p.y_mask;
  const uint z = cell & p.z_mask;
  // The cells before and behind in each axis: subtracting 1 is adding the mask.
  const uint xm = (x + p.x_mask) & p.x_mask;
  const uint ym = (y + p.y_mask) & p.y_mask;
  const uint zm = (z + p.z_mask) & p.z_mask;
  const uint xp = (x - p.x_mask) & p.x_mask;
  const uint yp = (y - p.y_mask) & p.y_mask;
  const uint zp = (z - p.z_mask) & p.z_mask;
  float f[19];
  PULL(0, x, y, z)
  PULL(1, xm, y, z)
  PULL(2, xp, y, z)
  PULL(3, x, ym, z)
  PULL(4, x, yp, z)
  PULL(5, x, y, zm)
  PULL(6, x, y, zp)
  PULL(7, xm, ym, z)
  PULL(8, xp, yp, z)
  PULL(9, xm, y, zm)
  PULL(10, xp, y, zp)
  PULL(11, x, ym, zm)
  PULL(12, x, yp, zp)
  PULL(13, xm, yp, z)
  PULL(14, xp, ym, z)
  PULL(15, xm, y, zp)
  PULL(16, xp, y, zm)
  PULL(17, x, ym, zp)
  PULL(18, x, yp, zm)
  const float density = f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7] + f[8] + f[9] + f[10] + f[11] + f[12] + f[13] +
                        f[14] + f[15] + f[16] + f[17] + f[18];
  const float volume = 1.0f / density;
  const float ux = volume * (f[1] - f[2] + f[7] - f[8] + f[9] - f[10] + f[13] - f[14] + f[15] - f[16]);
  const float uy = volume * (f[3] - f[4] + f[7] - f[8] + f[11] - f[12] + f[14] - f[13] + f[17] - f[18]);
  const float uz = volume * (f[5] - f[6] + f[9] - f[10] + f[11] - f[12] + f[16] - f[15] + f[18] - f[17]);
  const float base = fma(-1.5f, fma(ux, ux, fma(uy, uy, uz * uz)), 1.0f);
  const float omega = as_float(p.omega);
  const float keep = 1.0f - omega;
  const float relaxed = omega * density;
  const float axis = relaxed * (1.0f / 18.0f);
  const float edge = relaxed * (1.0f / 36.0f);
  after[cell] = fma(keep, f[0], relaxed * (1.0f / 3.0f) * base);
  COLLIDE(1, 2, axis, ux)
  COLLIDE(3, 4, axis, uy)
  COLLIDE(5, 6, axis, uz)
  COLLIDE(7, 8, edge, ux + uy)
  COLLIDE(9, 10, edge, ux + uz)
  COLLIDE(11, 12, edge, uy + uz)
  COLLIDE(13, 14, edge, ux - uy)
  COLLIDE(15, 16, edge, ux - uz)
  COLLIDE(17, 18, edge, uy - uz)
#endif
}
