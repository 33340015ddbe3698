#!/usr/bin/env python3
"""Writes the PTX of the control for instruction-sharing: instruction_sharing.py FOLDER

One kernel per length of the victim's and the aggressor's code, and per length beside constants.
Then:
  for f in FOLDER/*.ptx; do ptxas -O1 -arch=sm_90 "$f" -o "${f%.ptx}.cubin"; done
  g++ -O1 -I/usr/local/cuda/include instruction_sharing.cpp -lcuda -o control
  ./control FOLDER/*.cubin
"""
import pathlib
import struct
import sys

CONSTANT_BYTES = 62 * 1024


def constant(i):
    down = 17 + 2 * (i // 16 * 8 + i % 8)
    return struct.unpack(">I", struct.pack(">f", float(down + 1 if i % 16 < 8 else -down)))[0]


def additions(first, count):
    return [f"add.f32 %f{i % 8},%f{i % 8},0f{constant(first + i):08X};" for i in range(count)]


def kernel(name, victim, aggressor):
    """victim: additions, or 0 for a walk of `loads` constants."""
    lines = [".version 8.0", ".target sm_90", ".address_size 64"]
    if victim == 0:
        lines.append(f".visible .const .align 16 .u32 links[{CONSTANT_BYTES // 4}];")
    lines += [f".visible .entry {name}(.param .u64 out, .param .u32 turns, .param .u64 sums, .param .u32 aggressor,",
              "  .param .u32 across, .param .u32 loads, .param .u64 state) {",
              ".reg .pred %p, %attacks, %suffers, %spins; .reg .f32 %f<8>;",
              ".reg .u32 %i, %n, %turns, %lane, %warp, %unit, %aggressor, %across, %at, %seen, %step, %loads, %seat;",
              ".reg .u64 %o, %s, %state, %b, %e, %ticks, %a;",
              ".shared .u32 taken;",
              "ld.param.u64 %o,[out]; ld.param.u32 %turns,[turns]; ld.param.u64 %s,[sums]; ld.param.u64 %state,[state];",
              "ld.param.u32 %aggressor,[aggressor]; ld.param.u32 %across,[across]; ld.param.u32 %loads,[loads];",
              "mov.u32 %lane,%tid.x; shr.u32 %warp,%lane,5; mov.u32 %unit,%smid; mov.u64 %ticks,0; mov.u32 %at,0;",
              # Seats: 0 victim, 1 aggressor of another unit, 2 none.
              "setp.ne.u32 %p,%lane,0; @%p bra SEATED; mov.u32 %seat,0; setp.eq.u32 %p,%across,0; @%p bra TAKE;",
              "mov.u32 %seat,2; setp.eq.u32 %p,%unit,0; @%p mov.u32 %seat,0;",
              "setp.eq.u32 %p,%unit,%aggressor; @%p mov.u32 %seat,1; setp.eq.u32 %p,%seat,2; @%p bra TAKE;",
              "mul.wide.u32 %a,%seat,4; add.u64 %a,%a,%state; atom.global.add.u32 %seen,[%a+8],1;",
              "setp.ne.u32 %p,%seen,0; @%p mov.u32 %seat,2;",
              "TAKE: st.shared.u32 [taken],%seat;", "SEATED: bar.sync 0; ld.shared.u32 %seat,[taken];",
              "setp.eq.u32 %p,%seat,2; @%p bra END;"]
    lines += [f"ld.global.f32 %f{k},[%s+{4 * k}];" for k in range(8)]
    lines += ["setp.eq.u32 %attacks,%warp,%aggressor; setp.eq.u32 %p,%across,0; @%p bra ROLES;",
              "setp.eq.u32 %attacks,%seat,1; setp.eq.and.u32 %attacks,%warp,0,%attacks;",
              "ROLES: setp.eq.u32 %suffers,%warp,0; setp.eq.and.u32 %suffers,%seat,0,%suffers;",
              "setp.ne.u32 %spins,%across,0; setp.eq.and.u32 %spins,%lane,0,%spins; mov.u32 %i,0;", "LOOP:",
              # The aggressor waits for the victim's last step.
              "shl.b32 %step,%i,1; @!%spins bra GO1; setp.ne.u32 %p,%seat,1; @%p bra GO1;",
              "WAIT1: atom.global.or.b32 %seen,[%state],0; setp.ne.u32 %p,%seen,%step; @%p bra WAIT1;",
              "GO1: bar.sync 0; @!%attacks bra DONE1;"]
    lines += additions(victim, aggressor)
    lines += ["DONE1: bar.sync 0; add.u32 %step,%step,1; @!%spins bra GO2; setp.ne.u32 %p,%seat,1; @%p bra WAIT2;",
              "atom.global.exch.b32 %seen,[%state],%step; bra GO2;",
              "WAIT2: atom.global.or.b32 %seen,[%state],0; setp.ne.u32 %p,%seen,%step; @%p bra WAIT2;",
              "GO2: bar.sync 0; @!%suffers bra DONE2; mov.u64 %b,%clock64;"]
    if victim == 0:
        lines += ["mov.u32 %n,0; mov.u64 %a,links;", "LOAD: mul.wide.u32 %e,%at,4; add.u64 %e,%e,%a;",
                  "ld.const.u32 %at,[%e]; add.u32 %n,%n,1; setp.lt.u32 %p,%n,%loads; @%p bra LOAD;",
                  "st.global.u32 [%state+64],%at;"]
    else:
        lines += additions(0, victim)
    # The first two turns are not timed.
    lines += ["mov.u64 %e,%clock64; sub.u64 %e,%e,%b; setp.ge.u32 %p,%i,2; @%p add.u64 %ticks,%ticks,%e;",
              "DONE2: bar.sync 0; add.u32 %step,%step,1; @!%spins bra NEXT; setp.ne.u32 %p,%seat,0; @%p bra NEXT;",
              "atom.global.exch.b32 %seen,[%state],%step;",
              "NEXT: add.u32 %i,%i,1; setp.lt.u32 %p,%i,%turns; @%p bra LOOP;"]
    lines += [f"st.global.f32 [%s+{4 * k + 32}],%f{k};" for k in range(8)]
    lines += ["@!%suffers bra END; setp.ne.u32 %p,%lane,0; @%p bra END; st.global.u64 [%o],%ticks;", "END: ret; }"]
    return "\n".join(lines) + "\n"


def write(name, victim, aggressor):
    pathlib.Path(sys.argv[1], name + ".ptx").write_text(kernel(name, victim, aggressor))


# 0.7 of 32 and of 128 KiB, with 16 bytes for an instruction.
for length in (1440, 5728):
    write(f"code_{length}_0", length, 0)
    write(f"code_{length}_{length}", length, length)
for length in (0, 512, 1024, 2048, 3072, 4096, 5120, 6144, 7168, 8192):
    write(f"constants_0_{length}", 0, length)
