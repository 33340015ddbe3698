#!/usr/bin/env python3
"""Variants of OpenCL's code of packed FP16 FMA, for stream_code.cpp: opencl_code.py CUBIN FOLDER

CUBIN is the code of `instruction_stream` with CHAIN=fp16x2-fma, CHAINS=8 from `percycle isa --out`
on an H100. Its loop keeps all chains in odd registers, one constant in R6 and the other in R7. A
register file has two banks: even and odd registers. Writes to FOLDER:
  opencl.cubin      the code as it is, started by CUDA: the offsets of work-groups that OpenCL's
                    driver would fill in are read from a parameter that is 0
  constants.cubin   also with R7's constant in R12
  chains.cubin      with four of the chains in even registers
  both.cubin        with both changes
"""
import pathlib
import struct
import sys

from cubin_text import text_section

ULDC, MOV, HALF, CLOCK, BARRIER = 0xAB9, 0x202, (0x231, 0x235), 0x805, 0xB1D
ROW_OPERATIONS = (0x812, 0x211, 0x824, *HALF)  # LOP3, LEA and IMAD, with constants, beside the steps
CONSTANT_OFFSETS = (0x4C, 0x40)  # of the work-items and the work-groups
ZERO = 0x244  # the kernel's last parameter, which these chains do not use
EVEN_CHAINS = {17: 16, 19: 18, 21: 20, 23: 22}


def instructions(code):
    offset, length = text_section(code)
    for at in range(offset, offset + length, 16):
        yield at, *struct.unpack_from("<QQ", code, at)


def started_by_cuda(code):
    changed = 0
    for at, low, high in instructions(code):
        if low & 0xFFF != ULDC or (low >> 40 & 0xFFFF) * 4 not in CONSTANT_OFFSETS:
            continue
        struct.pack_into("<Q", code, at, low & ~(0xFFFF << 40) | ZERO // 4 << 40)
        changed += 1
    if changed != 2:
        raise SystemExit(f"{changed} loads of offsets instead of 2")


def move_constant(code):
    """The first of the two barriers before the clocks becomes MOV R12, R7."""
    rows = list(instructions(code))
    barrier = next(at for at, low, _ in rows if low & 0xFFF == BARRIER)
    template = next((low, high) for _, low, high in rows if low & 0xFFF == MOV)
    low = template[0] & ~(0xFF << 16 | 0xFF << 32) | 12 << 16 | 7 << 32
    struct.pack_into("<QQ", code, barrier, low, template[1] | 0x3F << 52)  # waits for all loads
    for at, low, high in rows:
        if low & 0xFFF in HALF and high & 0xFF == 7:
            struct.pack_into("<Q", code, at + 8, high & ~0xFF | 12)


def move_chains(code):
    """From the first values to the results."""
    started = False
    for at, low, high in instructions(code):
        started = started or (low & 0xFFF == 0x812 and low >> 32 == 0x3C003C00)
        if not started or low & 0xFFF not in ROW_OPERATIONS:
            continue
        for shift in (16, 24):
            low = low & ~(0xFF << shift) | EVEN_CHAINS.get(low >> shift & 0xFF, low >> shift & 0xFF) << shift
        if low & 0xFFF in (0x211, *HALF):  # the second operand is a register
            low = low & ~(0xFF << 32) | EVEN_CHAINS.get(low >> 32 & 0xFF, low >> 32 & 0xFF) << 32
        struct.pack_into("<Q", code, at, low)


native = bytearray(pathlib.Path(sys.argv[1]).read_bytes())
started_by_cuda(native)
for name, changes in {"opencl": (), "constants": (move_constant,), "chains": (move_chains,),
                      "both": (move_constant, move_chains)}.items():
    code = bytearray(native)
    for change in changes:
        change(code)
    pathlib.Path(sys.argv[2], f"{name}.cubin").write_bytes(code)
