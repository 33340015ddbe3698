#!/usr/bin/env python3
"""Writes the PTX of the control for instruction-cache: instruction_cache.py FOLDER

One kernel per length: a loop of additions of different constants to eight sums. Then:
  for f in FOLDER/*.ptx; do ptxas -O1 -arch=sm_90 "$f" -o "${f%.ptx}.cubin"; done
  g++ -O1 -I/usr/local/cuda/include instruction_cache.cpp -lcuda -o control
  ./control FOLDER/*.cubin
"""
import pathlib
import struct
import sys


def constant(i):
    down = 17 + 2 * (i // 16 * 8 + i % 8)
    return struct.unpack(">I", struct.pack(">f", float(down + 1 if i % 16 < 8 else -down)))[0]


def kernel(additions):
    lines = [".version 8.0", ".target sm_90", ".address_size 64",
             f".visible .entry add{additions}(.param .u64 out, .param .u32 turns, .param .u64 sums) {{",
             ".reg .pred %p; .reg .f32 %f<8>; .reg .u32 %i, %t, %lane; .reg .u64 %o, %s, %b, %e;",
             "ld.param.u64 %o,[out]; ld.param.u32 %t,[turns]; ld.param.u64 %s,[sums]; mov.u32 %lane,%tid.x;"]
    lines += [f"ld.global.f32 %f{k},[%s+{4 * k}];" for k in range(8)]
    # The clock is read before the third turn.
    lines += ["mov.u32 %i,0; mov.u64 %b,%clock64;", "LOOP:", "setp.ne.u32 %p,%i,2;", "@%p bra GO;",
              "mov.u64 %b,%clock64;", "GO:"]
    lines += [f"add.f32 %f{i % 8},%f{i % 8},0f{constant(i):08X};" for i in range(additions)]
    lines += ["add.u32 %i,%i,1; setp.lt.u32 %p,%i,%t;", "@%p bra LOOP;", "mov.u64 %e,%clock64; sub.u64 %e,%e,%b;"]
    lines += [f"st.global.f32 [%s+{4 * k + 32}],%f{k};" for k in range(8)]
    lines += ["mov.u32 %i,%ctaid.x; or.b32 %i,%i,%lane; setp.eq.u32 %p,%i,0; @%p st.global.u64 [%o],%e;", "ret; }"]
    return "\n".join(lines) + "\n"


for eighth in range(96, 147):
    additions = round(2 ** (eighth / 8) / 256) * 16
    pathlib.Path(sys.argv[1], f"add{additions}.ptx").write_text(kernel(additions))
