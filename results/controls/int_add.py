#!/usr/bin/env python3
"""The programs of the control for the rate of 32-bit additions: int_add.py FOLDER

Writes PTX (FOLDER/*.ptx): one, two, four or eight chains of additions in a lane, STEPS steps in a
turn, as in arithmetic-throughput. Assemble it, then let the same script vary the instructions:
  for f in FOLDER/*.ptx; do ptxas -O3 -arch=sm_90 "$f" -o "${f%.ptx}.cubin"; done
  int_add.py --vary FOLDER/*.cubin
  g++ -O1 -I/usr/local/cuda/include alternated_code.cpp -lcuda -o control
  ./control 512 FOLDER/adds*.cubin; ./control 2048 FOLDER/long*.cubin

ptxas makes some additions IADD3 and others IMAD.IADD, which run on different units. `--vary`
copies a cubin and sets how many of 64 additions are IMAD.IADD, spread evenly: the name of the copy
ends with that number. In the copies first-N the first N additions of a turn are IMAD.IADD, in
pairs-N the first 3 N are two IMAD.IADD and one IADD3, again and again; the others take turns.
"""
import pathlib
import struct
import sys

from cubin_text import text_section

STEPS = 512
LONG_STEPS = 2048  # a quarter of the loop's own instructions per step
SHARES = (0, 16, 24, 28, 30, 31, 32, 33, 34, 36, 40, 48, 64)
FIRST = (2, 6, 10, 14, 18, 26)
PAIRS = (3, 5, 7, 9)


def kernel(chains, steps, prefix):
    name = f"{prefix}{chains}"
    names = [f"%x{k}, %y{k}" for k in range(chains)]
    lines = [".version 8.0", ".target sm_90", ".address_size 64",
             f".visible .entry {name}(.param .u64 out, .param .u64 stamps, .param .u64 values, .param .u32 turns) {{",
             f".reg .pred %p; .reg .b32 {', '.join(names)};",
             ".reg .b32 %i, %t, %lane, %group, %size, %sm; .reg .u64 %o, %s, %v, %a, %b, %e;",
             "ld.param.u64 %o, [out]; ld.param.u64 %s, [stamps]; ld.param.u64 %v, [values]; ld.param.u32 %t, [turns];",
             "mov.u32 %lane, %tid.x; mov.u32 %group, %ctaid.x; mov.u32 %size, %ntid.x; mov.u32 %sm, %smid;"]
    for k in range(chains):
        lines += [f"ld.global.b32 %x{k}, [%v+{4 * k}];", f"ld.global.b32 %y{k}, [%v+{4 * chains + 4 * k}];"]
    lines += ["bar.sync 0; bar.sync 0; mov.u64 %b, %clock64; bar.sync 0; mov.u32 %i, 0;", "LOOP:"]
    for _ in range(steps // chains // 2):
        lines += [f"add.u32 %y{k}, %x{k}, %y{k};" for k in range(chains)]
        lines += [f"add.u32 %x{k}, %y{k}, %x{k};" for k in range(chains)]
    lines += ["add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %t;", "@%p bra LOOP;"]
    lines += [f"xor.b32 %x0, %x0, %x{k};" for k in range(1, chains)]
    lines += ["mad.lo.u32 %i, %group, %size, %lane; mul.wide.u32 %a, %i, 4; add.u64 %a, %a, %o; st.global.b32 [%a], %x0;",
              "bar.sync 0; mov.u64 %e, %clock64; setp.eq.u32 %p, %lane, 0;",
              "mul.wide.u32 %a, %group, 24; add.u64 %a, %a, %s; cvt.u64.u32 %v, %sm;",
              "@%p st.global.u64 [%a], %b; @%p st.global.u64 [%a+8], %e; @%p st.global.u64 [%a+16], %v;", "ret; }"]
    return "\n".join(lines) + "\n"


def varied(cubin, is_multiply):
    """The code whose additions are IMAD.IADD (a * 1 + b) if `is_multiply` of their number says so,
    else IADD3 (a + b + 0), as nvdisasm decodes them for sm_90. Waits stay, hints to reuse an
    operand go."""
    code = bytearray(cubin)
    offset, length = text_section(cubin)
    number = 0
    for at in range(offset, offset + length, 16):
        low, high = struct.unpack_from("<QQ", code, at)
        if low & 0xFFFF == 0x7824 and low >> 32 == 1 and high & 0xFFFFFF00 == 0x078E0200:
            right = high & 255
        elif low & 0xFFFF == 0x7210 and high & 0xFFFFFFFF == 0x07FFE0FF:
            right = low >> 32
        else:
            continue
        target = low & 0xFFFFFFFF & ~0xFFFF
        control = high >> 32 & ~(0xF << 26)
        if is_multiply(number):
            struct.pack_into("<QQ", code, at, 1 << 32 | target | 0x7824, control << 32 | 0x078E0200 | right)
        else:
            struct.pack_into("<QQ", code, at, right << 32 | target | 0x7210, control << 32 | 0x07FFE0FF)
        number += 1
    return bytes(code), number


if sys.argv[1] == "--vary":
    for file in map(pathlib.Path, sys.argv[2:]):
        forms = {f"{share}": lambda i, share=share: i * share // 64 != (i + 1) * share // 64 for share in SHARES}
        forms |= {f"first-{first}": lambda i, first=first: i < first or i % 2 == 1 for first in FIRST}
        forms |= {f"pairs-{pairs}": lambda i, pairs=pairs: i % 3 < 2 if i < 3 * pairs else i % 2 == (3 * pairs + 1) % 2
                  for pairs in PAIRS}
        for form, is_multiply in forms.items():
            code, number = varied(file.read_bytes(), is_multiply)
            file.with_name(f"{file.stem}-{form}.cubin").write_bytes(code)
        print(file.stem, number, "additions")
else:
    for chains in (1, 2, 4, 8):
        pathlib.Path(sys.argv[1], f"adds{chains}.ptx").write_text(kernel(chains, STEPS, "adds"))
        pathlib.Path(sys.argv[1], f"long{chains}.ptx").write_text(kernel(chains, LONG_STEPS, "long"))
