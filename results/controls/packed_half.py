#!/usr/bin/env python3
"""The programs of the control for the rate of packed FP16 FMA: packed_half.py FOLDER

Writes PTX (FOLDER/*.ptx): one, two, four or eight chains of x * x + c in a lane, 512 steps in a
turn, as in arithmetic-throughput. Assemble it, then let the same script vary the instructions:
  for f in FOLDER/*.ptx; do ptxas -O3 -arch=sm_90 "$f" -o "${f%.ptx}.cubin"; done
  packed_half.py --vary FOLDER/*.cubin
  g++ -O1 -I/usr/local/cuda/include alternated_code.cpp -lcuda -o control
  ./control 1024 FOLDER/*.cubin

ptxas makes some steps HFMA2 and others HFMA2.MMA, which run on different units. `--vary` copies
a cubin and sets which step is which: all of one kind, or both in runs of 1, 2, 4, 8 or 16.

`--banks` copies spare*.cubin and gives the steps other registers: chains and operands in even or
odd registers, which are two banks. These kernels load more values than they need, so that there are
registers with numbers to choose from.
"""
import pathlib
import struct
import sys

from cubin_text import text_section

OPCODES = {"hfma2": 0x231, "mma": 0x235}  # bits 0 to 11, as nvdisasm decodes them for sm_90
STEPS = 512
SPARE = 30  # 64 registers of a lane allow 1024 lanes


def kernel(chains, spare=0):
    name = f"{'spare' if spare else 'chains'}{chains}"
    names = [f"%x{k}, %y{k}" for k in range(chains)]
    lines = [".version 8.0", ".target sm_90", ".address_size 64",
             f".visible .entry {name}(.param .u64 out, .param .u64 stamps, .param .u64 values, .param .u32 turns) {{",
             f".reg .pred %p; .reg .b32 {', '.join(names)};",
             ".reg .b32 %even, %odd, %i, %t, %lane, %group, %size, %sm; .reg .u64 %o, %s, %v, %a, %b, %e;",
             "ld.param.u64 %o, [out]; ld.param.u64 %s, [stamps]; ld.param.u64 %v, [values]; ld.param.u32 %t, [turns];",
             "mov.u32 %lane, %tid.x; mov.u32 %group, %ctaid.x; mov.u32 %size, %ntid.x; mov.u32 %sm, %smid;",
             "ld.global.b32 %even, [%v]; ld.global.b32 %odd, [%v+4];"]
    lines += [f"ld.global.b32 %x{k}, [%v+{8 + 4 * k}];" for k in range(chains)]
    for k in range(spare):
        lines += [f".reg .b32 %s{k}; ld.volatile.global.b32 %s{k}, [%v+{40 + 4 * k}];"]
    lines += ["bar.sync 0; bar.sync 0; mov.u64 %b, %clock64; bar.sync 0; mov.u32 %i, 0;", "LOOP:"]
    for _ in range(STEPS // chains // 2):
        lines += [f"fma.rn.f16x2 %y{k}, %x{k}, %x{k}, %even;" for k in range(chains)]
        lines += [f"fma.rn.f16x2 %x{k}, %y{k}, %y{k}, %odd;" for k in range(chains)]
    lines += ["add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %t;", "@%p bra LOOP;"]
    lines += [f"xor.b32 %x0, %x0, %x{k};" for k in range(1, chains)]
    lines += [f"xor.b32 %x0, %x0, %s{k};" for k in range(spare)]
    lines += ["mad.lo.u32 %i, %group, %size, %lane; mul.wide.u32 %a, %i, 4; add.u64 %a, %a, %o; st.global.b32 [%a], %x0;",
              "bar.sync 0; mov.u64 %e, %clock64; setp.eq.u32 %p, %lane, 0;",
              "mul.wide.u32 %a, %group, 24; add.u64 %a, %a, %s; cvt.u64.u32 %v, %sm;",
              "@%p st.global.u64 [%a], %b; @%p st.global.u64 [%a+8], %e; @%p st.global.u64 [%a+16], %v;", "ret; }"]
    return "\n".join(lines) + "\n"


def varied(cubin, kind_of):
    code = bytearray(cubin)
    offset, length = text_section(cubin)
    number = 0
    for at in range(offset, offset + length, 16):
        (word,) = struct.unpack_from("<Q", code, at)
        if word & 0xFFF in OPCODES.values():
            struct.pack_into("<Q", code, at, word & ~0xFFF | OPCODES[kind_of(number)])
            number += 1
    return bytes(code), number


def in_banks(cubin, of_chains, of_operands):
    """The code whose steps use registers of these banks, by the number of the chain or operand:
    0 (even) or 1 (odd). Registers are those that the loads before the loop fill."""
    code = bytearray(cubin)
    offset, length = text_section(cubin)
    words = [(at, *struct.unpack_from("<QQ", code, at)) for at in range(offset, offset + length, 16)]
    filled = {low >> 16 & 255 for _, low, _ in words if low & 0xFFF in (0x381, 0x981)}
    steps = [(at, low, high) for at, low, high in words if low & 0xFFF in OPCODES.values()]
    chains = list(dict.fromkeys(r for _, low, _ in steps for r in (low >> 24 & 255, low >> 16 & 255)))
    operands = list(dict.fromkeys(high & 255 for _, _, high in steps))
    if len(operands) != 2 or set(chains) & set(operands):
        raise SystemExit(f"unexpected registers: chains {chains}, operands {operands}")
    free = sorted(filled - set(chains)) + sorted(filled & set(chains))  # the latter have other values
    names = {}
    for number, register in enumerate(operands):
        names[register] = next(r for r in free if r % 2 == of_operands(number))
        free.remove(names[register])
    for number, register in enumerate(chains):
        names[register] = next(r for r in free if r % 2 == of_chains(number))
        free.remove(names[register])
    for at, low, high in steps:
        if low >> 24 & 255 != low >> 32 & 255:
            raise SystemExit("a step is not a square")
        d, a = names[low >> 16 & 255], names[low >> 24 & 255]
        struct.pack_into("<QQ", code, at, low & ~(0xFFFFFF << 16) | d << 16 | a << 24 | a << 32,
                         high & ~255 | names[high & 255])
    return bytes(code), chains, operands, names


def always(bank):
    return lambda number: bank


BANKS = {"even": always(0), "odd": always(1), "both": lambda number: number % 2}

if sys.argv[1] == "--banks":
    for file in map(pathlib.Path, sys.argv[2:]):
        for chains, of_chains in BANKS.items():
            for operands, of_operands in BANKS.items():
                code, found, constants, names = in_banks(file.read_bytes(), of_chains, of_operands)
                file.with_name(f"{file.stem}-{chains}-{operands}.cubin").write_bytes(code)
        print(file.stem, "chains", found, "operands", constants)
elif sys.argv[1] == "--vary":
    forms = {"hfma2": lambda i: "hfma2", "mma": lambda i: "mma"}
    for run in (1, 2, 4, 8, 16):
        forms[f"runs{run}"] = lambda i, run=run: ("hfma2", "mma")[i // run % 2]
    for file in map(pathlib.Path, sys.argv[2:]):
        for form, kind_of in forms.items():
            code, number = varied(file.read_bytes(), kind_of)
            file.with_name(f"{file.stem}-{form}.cubin").write_bytes(code)
        print(file.stem, number, "steps")
else:
    for chains in (1, 2, 4, 8):
        pathlib.Path(sys.argv[1], f"chains{chains}.ptx").write_text(kernel(chains))
        pathlib.Path(sys.argv[1], f"spare{chains}.ptx").write_text(kernel(chains, SPARE))
