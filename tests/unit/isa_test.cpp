#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "codegen/assembly/aco_ir.hpp"
#include "codegen/assembly/amdgcn.hpp"
#include "codegen/assembly/brw.hpp"
#include "codegen/assembly/gen.hpp"
#include "codegen/assembly/objdump.hpp"
#include "codegen/assembly/ptx.hpp"
#include "codegen/assembly/sass.hpp"
#include "codegen/assembly/timed_loop.hpp"
#include "unit/isa_accesses.hpp"

namespace percycle::isa::isa_test {
namespace {

Held held(std::string_view gcn) { return counts(parse_amdgcn(gcn, "k")).accesses; }

}  // namespace

TEST_CASE("isa: GCN's and RDNA's loads by path and width") {
  CHECK(held("\tglobal_load_dwordx2 v[0:1], v[2:3], off\n") == Held{{load(Space::vector, 8), 1}});
  CHECK(held("\tglobal_load_b128 v[0:3], v[2:3], off\n") == Held{{load(Space::vector, 16), 1}});
  CHECK(held("\tflat_load_dword v0, v[2:3]\n") == Held{{load(Space::vector, 4), 1}});
  CHECK(held("\tbuffer_load_ubyte v0, off, s[0:3], 0\n") == Held{{load(Space::vector, 1), 1}});
  CHECK(held("\tbuffer_load_format_xyzw v[0:3], v4, s[0:3], 0 idxen\n") == Held{{load(Space::texture, 16), 1}});
  CHECK(held("\tbuffer_load_format_x v0, v4, s[0:3], 0 idxen\n") == Held{{load(Space::texture, 4), 1}});
  CHECK(held("\timage_load v[0:1], v[2:3], s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_2D unorm\n") == Held{{load(Space::texture, 8), 1}});
  CHECK(held("\timage_load v[0:3], v[4:5], s[0:7] dmask:0xf unorm\n\timage_gather4 v[0:3], v[4:5], s[0:7] dmask:0x1\n") ==
        Held{{load(Space::texture, 16), 2}});
  CHECK(held(assembly_of_aco_ir("\t v2: %284 = image_load %38,  s4: undef,  v1: undef, %39 1d unrm\n")) ==
        Held{{load(Space::texture, 8), 1}});
  CHECK(held("\ts_load_dwordx8 s[0:7], s[8:9], 0x0\n\ts_load_dwordx16 s[0:15], s[16:17], 0x0\n") ==
        Held{{load(Space::scalar, 32), 1}, {load(Space::scalar, 64), 1}});
  CHECK(held("\ts_load_dwordx4 s[0:3], s[4:5], 0x0\n\ts_buffer_load_dword s0, s[0:3], s4\n") ==
        Held{{load(Space::scalar, 16), 1}, {load(Space::scalar, 4), 1}});
  CHECK(held("\ts_load_b64 s[0:1], s[4:5], 0x0\n") == Held{{load(Space::scalar, 8), 1}});
  CHECK(held("\tds_read_b128 v[0:3], v4\n\tds_load_b32 v0, v4\n") ==
        Held{{load(Space::local, 16), 1}, {load(Space::local, 4), 1}});
  CHECK(held("\tscratch_load_dword v0, off, s32\n") == Held{{load(Space::scratch, 4), 1}});
  CHECK(held("\tglobal_store_dwordx4 v[0:1], v[2:5], off\n\tds_write_b64 v0, v[1:2]\n") ==
        Held{{store(Space::vector, 16), 1}, {store(Space::local, 8), 1}});
}

TEST_CASE("isa: an instruction of GCN that reads two places counts twice") {
  const Counts pair = counts(parse_amdgcn("\tds_read2st64_b32 v[0:1], v2 offset1:1\n\tds_load_2addr_b64 v[0:3], v2\n", "k"));
  CHECK(pair.accesses == Held{{load(Space::local, 4), 2}, {load(Space::local, 8), 2}});
  CHECK(pair.pairs == 2);
}

TEST_CASE("isa: GCN's atomics, and whether they return") {
  CHECK(held("\tglobal_atomic_add v1, v[2:3], v4, off glc\n") == Held{{atomic(Space::vector, 4, true), 1}});
  CHECK(held("\tglobal_atomic_add v[2:3], v4, off\n") == Held{{atomic(Space::vector, 4, false), 1}});
  CHECK(held("\tbuffer_atomic_cmpswap_x2 v[0:3], off, s[0:3], 0 glc\n") == Held{{atomic(Space::vector, 8, true), 1}});
  CHECK(held("\tglobal_atomic_add_u64 v[2:3], v[4:5], off\n") == Held{{atomic(Space::vector, 8, false), 1}});
  CHECK(held("\tds_add_u32 v0, v1\n\tds_cmpst_rtn_b32 v0, v1, v2, v3\n") ==
        Held{{atomic(Space::local, 4, false), 1}, {atomic(Space::local, 4, true), 1}});
  CHECK(held("\tds_min_rtn_u64 v[0:1], v2, v[3:4]\n") == Held{{atomic(Space::local, 8, true), 1}});
}

TEST_CASE("isa: ACO's intermediate representation, where RADV shows no assembly") {
  // A part of Mesa 22.3's output for Hawaii.
  const std::string text = assembly_of_aco_ir(
      "After Spilling:\nACO shader stage: compute_cs\nBB1\n/* logical preds: BB0, / linear preds: BB0, / kind: uniform, "
      "loop-preheader, */\n"
      "\tp_logical_start\n\t s2: %10 = s_memtime semantics:volatile\n\t s2: (kill)%134 = p_branch BB2\nBB2\n"
      "\t v1: %15 = p_phi (kill)%13, (kill)%50\n\t s1: %135:scc = s_cmp_ge_u32 %16, %118\n"
      "\t s2: (kill)%138 = p_cbranch_z (kill)%135:scc BB4, BB3\nBB3\n\t s2: (kill)%139 = p_branch BB6\nBB4\n"
      "\t v1: %143,  s2: %144 = v_add_co_u32 %115, (kill)%15\n\t v1: %20 = buffer_load_dword %150, (kill)%148, 0 addr64 "
      "storage:buffer\n"
      "\t v1: %21 = buffer_atomic_add %46, %43, 0, %36 offen glc storage:buffer\n\tds_add_u32 %42, %37, %105:m0 storage:shared\n"
      "\t s2: (kill)%320 = p_branch BB2\nBB6\n\t s2: %36 = s_memtime semantics:volatile\n\ts_endpgm\n");
  CHECK(text ==
        "BB1:\n\ts_memtime semantics:volatile\nBB2:\n\ts_cmp_ge_u32 %16, %118\n\ts_cbranch_scc0 BB4\nBB3:\n\ts_branch BB6\n"
        "BB4:\n\tv_add_co_u32 %115, (kill)%15\n\tbuffer_load_dword %150, (kill)%148, 0 addr64 storage:buffer\n"
        "\tbuffer_atomic_add %46, %43, 0, %36 offen glc storage:buffer\n\tds_add_u32 %42, %37, %105:m0 storage:shared\n"
        "\ts_branch BB2\nBB6:\n\ts_memtime semantics:volatile\n\ts_endpgm\n");
  const Listing listing = parse_amdgcn(text, "");
  const auto loop = timed_loop(listing, InstructionKind::load);
  REQUIRE(loop);
  const Counts found = counts(listing, *loop);
  CHECK(found.accesses ==
        Held{{load(Space::vector, 4), 1}, {atomic(Space::vector, 4, true), 1}, {atomic(Space::local, 4, false), 1}});
  CHECK(found.alu == 1);
  CHECK(found.scalar_alu == 1);
  CHECK(found.branches == 2);
  CHECK(counts(parse_amdgcn(assembly_of_aco_ir("\t v1: %1 = p_reload %2, 0\n\tp_spill %3, 0\n"), "")).alu == 2);
}

TEST_CASE("isa: GCN's operations are those of lanes and of the subgroup; waits are none") {
  const Counts found =
      counts(parse_amdgcn("\tv_add_co_u32_e32 v0, vcc, s0, v1\n\ts_add_i32 s0, s0, -1\n\ts_waitcnt "
                          "vmcnt(0)\n\ts_barrier\n\ts_nop 0\n\ts_cbranch_scc1 .L\n",
                          "k"));
  CHECK(found.alu == 1);
  CHECK(found.scalar_alu == 1);
  CHECK(found.branches == 1);
}

TEST_CASE("isa: one function of several, its labels and resources") {
  const Listing listing = parse_amdgcn(
      "helper: ; @helper\n\tv_mov_b32_e32 v0, 0\n.Lfunc_end0:\n; NumVgprs: 99\n; ScratchSize: 64\n"
      "k:  ; @k\n.LBB1_1: ; =>This\n\tv_mov_b32_e32 v0, 0\n\ts_cbranch_scc1 .LBB1_1\n.Lfunc_end1:\n; NumVgprs: 7\n; ScratchSize: "
      "16\n",
      "k");
  CHECK(listing.code.size() == 2);
  CHECK(listing.labels == std::map<std::string, std::size_t>{{".LBB1_1", 0}});
  CHECK(listing.code[1].targets == std::vector<std::string>{".LBB1_1"});
  CHECK(listing.registers == 7);
  CHECK(listing.scratch_bytes == 16);
}

TEST_CASE("isa: RADV writes equal instructions once and how often they come again") {
  CHECK(held("BB0:\n\tbuffer_load_dword v0, v1, s[0:3], 0 offen ; e0301000 80000001\n\t(then repeated 30 times)\n") ==
        Held{{load(Space::vector, 4), 31}});
}

TEST_CASE("isa: a repetition that no kernel has is cut") {
  CHECK(parse_amdgcn("\ts_nop 0\n\t(then repeated 4000000000 times)\n\ts_nop 0\n\t(then repeated 9 times)\n", "k").code.size() ==
        100'001);
}

TEST_CASE("isa: lines without a word hold no instruction") {
  CHECK(parse_amdgcn("\t,\n , ,\n", "k").code.empty());
  CHECK(parse_amdgcn(assembly_of_aco_ir("\t\n\t,\n\tp_branch\n"), "").code.empty());
  CHECK(parse_gen("(W)\n,\n").code.empty());
  CHECK(parse_ptx(".entry k\n;\n@;\n@p;\n,;\n", "k").code.empty());
  CHECK(parse_sass("/*0000*/ ;\n@P0 ;\n@;\n,;\n", "").code.empty());
  CHECK(parse_brw(";\n(;\n").code.size() == 2);
  CHECK(assembly_of_objdump("0000 <k>:\n\t, // 000000000004: BF <k+0x4>\n") == ".Lfunc_end:\nk:\n.L4:\n");
}

TEST_CASE("isa: Gen's messages without the size of their answer") {
  CHECK(counts(parse_gen("send (8|M0) r32:w r48:uq 0xC 0x0 // x\n")).accesses == Held{{load(Space::vector, 0), 1}});
}

TEST_CASE("isa: Gen's messages by path, width and lanes") {
  const auto gen = [](std::string_view text) { return counts(parse_gen(text)).accesses; };
  CHECK(gen("        send (16|M0)             r32:w    r48:uq  0xC            0x088419FF           // wr:4+0, rd:8; hdc.dc1; a64 "
            "dword gathering read\n") == Held{{load(Space::vector, 16), 1}});
  CHECK(gen("        send (8|M0)              r7:w     r5:uq   0xC            0x044C01FF           // wr:2+0, rd:2; hdc.dc1; a64 "
            "qword gathering read\n") == Held{{load(Space::vector, 8), 1}});
  CHECK(gen("(W)     send (1|M0)              r7:w     r5:uq   0xC            0x044C01FF           // wr:2+0, rd:2; hdc.dc1; a64 "
            "qword gathering read\n") == Held{{load(Space::scalar, 8), 1}});
  CHECK(gen("        send (16|M0)             r8:w     r6      0xC            0x04805EFE           // wr:2+0, rd:8; hdc.dc1; "
            "untyped surface read with xyzw\n") == Held{{load(Space::local, 16), 1}});
  CHECK(gen("        send (16|M0)             r8:w     r6      0x2            0x04805E01           // wr:1h+2, rd:8; sampler; "
            "simd16 sample load with lod forced to 0\n") == Held{{load(Space::texture, 16), 1}});
  CHECK(gen("        sends (16|M0)            null:w   r6      r8      0x8C   0x0402B7FE           // wr:2+2, rd:0; hdc.dc1; "
            "untyped atomic int32 integer add\n") == Held{{atomic(Space::local, 4, false), 1}});
  CHECK(gen("        sends (16|M0)            r4:w     r6      r8      0x8C   0x0422B701           // wr:2+2, rd:2; hdc.dc1; "
            "untyped atomic int32 logical OR\n") == Held{{atomic(Space::vector, 4, true), 1}});
  CHECK(gen("(W)     send (8|M0)              r3       r2      0xA            0x0219E000           // wr:1h+0, rd:1; hdc.dc0; "
            "synchronized global fence flushing\n")
            .empty());
}

TEST_CASE("isa: Gen's repeats for the second half of a subgroup are not counted") {
  const Counts found =
      counts(parse_gen("        add (8|M0)               r48.0<1>:q    r6.2<0;1,0>:q     r48.0<4;4,1>:q\n"
                       "        add (8|M8)               r50.0<1>:q    r6.2<0;1,0>:q     r50.0<4;4,1>:q\n"
                       "(W)     add (1|M0)               r6.3<1>:d     r6.3<0;1,0>:d     1:w\n"));
  CHECK(found.alu == 1);
  CHECK(found.scalar_alu == 1);
}

TEST_CASE("isa: a loop of Gen ends in a while, or a goto with two targets") {
  const std::string_view head =
      "L0:\n        mov (16|M0)  r1.0<1>:d  0:w\nL16:\n        add (16|M0)  r1.0<1>:d  r1.0<8;8,1>:d  1:w\n";
  const auto loops = [&](const std::string& tail) { return innermost_loops(parse_gen(std::string(head) + tail)); };
  CHECK(loops("(f0.1)  while (16|M0)                        L16\n") == std::vector<Loop>{{1, {1, 2}}});
  CHECK(loops("(f0.1)  goto.b (16|M0)                       L48                  L16\nL48:\n        join (16|M0) L64\n") ==
        std::vector<Loop>{{1, {1, 2}}});
  CHECK(
      loops("(f0.1)  if (16|M0)                           L48                  L48\nL48:\n        endif (16|M0) L64\n").empty());
}

TEST_CASE("isa: PTX by space and width, of one entry") {
  const Listing listing = parse_ptx(
      ".func  (.param .b32 r) k_helper(\n)\n{\n\tld.global.u32 %r1, [%rd1];\n}\n.entry k(\n\t.param .u64 k_param_0\n)\n{\n"
      "\tld.param.u64 \t%rd1, [k_param_0];\n\tld.global.v4.u32 \t{%r1, %r2, %r3, %r4}, [%rd1];\n\tld.volatile.shared.u32 %r1, "
      "[%rd2];\n"
      "\tld.const.u32 %r1, [%rd3];\n\tmov.u32 %r2, %r1;\n\tadd.s32 %r2, %r1, 1;\n\tatom.global.add.u32 %r3, [%rd1], %r2;\n"
      "\tst.global.u64 [%rd1], %rd2;\n\tmov.u64 %rd4, %clock64;\n\tcall.uni (retval0),\n\tread,\n\t(\n\tparam0\n\t);\n@%p1 bra "
      "\t$L__BB0_1;\n\tret;\n}\n"
      ".entry other(\n)\n{\n\tadd.s32 %r2, %r1, 1;\n}\n",
      "k");
  const Counts found = counts(listing);
  CHECK(found.accesses == Held{{load(Space::vector, 16), 1},
                               {load(Space::local, 4), 1},
                               {load(Space::scalar, 4), 1},
                               {store(Space::vector, 8), 1},
                               {atomic(Space::vector, 4, true), 1}});
  CHECK(found.alu == 1);
  CHECK(found.calls == 1);
  CHECK(found.branches == 1);
  CHECK(std::ranges::count(listing.code, InstructionKind::clock, &Instruction::kind) == 1);
}

TEST_CASE("isa: SASS by path and width") {
  const auto sass = [](std::string_view text) { return counts(parse_sass(text, "k")).accesses; };
  CHECK(sass("        /*0170*/                   LDG.E R21, desc[UR6][R20.64] ;\n"
             "        /*0180*/                   LDG.E.64.CONSTANT R12, [R12] ;\n"
             "        /*0190*/                   LDG.E.128.STRONG.SYS R4, desc[UR10][R22.64+0x200] ;\n"
             "        /*01a0*/                   LDG.E.U8 R4, desc[UR10][R22.64] ;\n"
             "        /*01b0*/                   LD.E.S16 R4, [R22] ;\n") == Held{{load(Space::vector, 4), 1},
                                                                                  {load(Space::vector, 8), 1},
                                                                                  {load(Space::vector, 16), 1},
                                                                                  {load(Space::vector, 1), 1},
                                                                                  {load(Space::vector, 2), 1}});
  CHECK(sass("LDC R9, c[0x3][R9] ;\nULDC.64 UR4, c[0x0][0x208] ;\nLDCU.128 UR4, c[0x0][0x380] ;\n") ==
        Held{{load(Space::scalar, 4), 1}, {load(Space::scalar, 8), 1}, {load(Space::scalar, 16), 1}});
  CHECK(sass("LDS R13, [R13] ;\nLDS.128 R4, [R12] ;\nSTS [UR4], R0 ;\n") ==
        Held{{load(Space::local, 4), 1}, {load(Space::local, 16), 1}, {store(Space::local, 4), 1}});
  CHECK(sass("LDL.64 R2, [R1+0x8] ;\nSTL [R1], R0 ;\n") == Held{{load(Space::scratch, 8), 1}, {store(Space::scratch, 4), 1}});
  CHECK(sass("STG.E.128 desc[UR6][R8.64], R4 ;\n") == Held{{store(Space::vector, 16), 1}});
  CHECK(sass("TLD.LZ RZ, R10, R8, UR30, 0x0, 1D, 0x1 ;\n") == Held{{load(Space::texture, 4), 1}});
  CHECK(sass("TLD.LZ R6, R4, R4, UR8, 0x0, 1D, 0xf ;\n") == Held{{load(Space::texture, 16), 1}});
  // 0xc is the texture's
  CHECK(sass("TLD.SCR.LZ R34, R54, R34, 0x0, 0xc, 1D ;\n") == Held{{load(Space::texture, 16), 1}});
  CHECK(sass("TLD.SCR.LZ RZ, R22, R18, 0x0, 0xc, 1D, 0x3 ;\n") == Held{{load(Space::texture, 8), 1}});
}

TEST_CASE("isa: a loop in which lanes wait for each other does not count") {
  // The output of ptxas 13.0 for a loop on Turing.
  const auto turing = [](const std::string& access) {
    return parse_sass("CS2R R28, SR_CLOCKLO ;\n.L_x_2:\n" + access +
                          "@P0 BRA `(.L_x_1) ;\n.L_x_3:\nVOTE.ANY R9, PT, PT ;\nYIELD ;\n"
                          "LOP3.LUT P0, RZ, R9, UR4, RZ, 0xc, !PT ;\n@!P0 BRA.U `(.L_x_2) ;\nBRA `(.L_x_3) ;\n.L_x_1:\n"
                          "CS2R R8, SR_CLOCKLO ;\nEXIT ;\n",
                      "");
  };
  const Listing atomics = turing("ATOMG.E.ADD.STRONG.GPU PT, R8, [R12], R7 ;\n");
  const auto loop = timed_loop(atomics, InstructionKind::atomic);
  REQUIRE(loop);
  CHECK(counts(atomics, *loop).number(InstructionKind::atomic) == 1);
  CHECK(counts(atomics, *loop).alu == 2);
  // An empty loop has lost its accesses, although the loop around it has some.
  const Listing hoisted = parse_sass(
      "CS2R R28, SR_CLOCKLO ;\n.L_x_2:\nLDG.E R8, [R12] ;\n.L_x_3:\nIADD3 R9, R9, 0x1, RZ ;\n@P1 BRA `(.L_x_3) ;\n"
      "@P0 BRA `(.L_x_2) ;\nCS2R R8, SR_CLOCKLO ;\nEXIT ;\n",
      "");
  const auto empty = timed_loop(hoisted, InstructionKind::load);
  REQUIRE(empty);
  CHECK(counts(hoisted, *empty).number(InstructionKind::load) == 0);
  // Without any access there is no difference between them.
  const Listing none = turing("");
  CHECK(timed_loop(none, std::nullopt).has_value());
}

TEST_CASE("isa: a clock that is read in halves until both fit is no loop") {
  // NVIDIA's Vulkan driver 580.159.04 on an H200, as nvdisasm -b SM90 prints it; the loads are
  // invented.
  const auto halves = [](int at) {
    return fmt::format(
        "/*{0:04x}*/ S2UR UR4, SR_CLOCKHI ;\n/*{1:04x}*/ DEPBAR.LE SB1, 0x0 ;\n/*{2:04x}*/ S2UR UR7, SR_CLOCKLO ;\n"
        "/*{3:04x}*/ CS2R.32 R1, SR_CLOCKHI ;\n/*{4:04x}*/ ISETP.NE.U32.AND P0, PT, R1, UR4, PT ;\n/*{5:04x}*/ @P0 BRA 0x{0:x} "
        ";\n",
        at, at + 16, at + 32, at + 48, at + 64, at + 80);
  };
  // Clock; a loop that times each of its loads; clock.
  const Listing timed = parse_sass(halves(0) + halves(0x60) + "/*00c0*/ LDG.E.64.CONSTANT R4, [R4] ;\n" + halves(0xd0) +
                                       "/*0130*/ @P1 BRA 0x60 ;\n" + halves(0x140) + "/*01a0*/ EXIT ;\n",
                                   "k");
  const auto loop = timed_loop(timed, InstructionKind::load);
  REQUIRE(loop);
  CHECK(counts(timed, *loop).number(InstructionKind::load, Space::vector) == 1);
  // A control: only operations between the clocks.
  const Listing control = parse_sass(halves(0) +
                                         "/*0060*/ IMAD R4, R4, R5, R6 ;\n/*0070*/ IADD3 R7, R7, 0x1, RZ ;\n"
                                         "/*0080*/ @P1 BRA 0x60 ;\n" +
                                         halves(0x90) + "/*00f0*/ EXIT ;\n",
                                     "k");
  REQUIRE(timed_loop(control, std::nullopt));
  CHECK(counts(control, *timed_loop(control, std::nullopt)).alu == 2);
}

TEST_CASE("isa: SASS's atomics, and whether they return") {
  const auto sass = [](std::string_view text) { return counts(parse_sass(text, "k")).accesses; };
  CHECK(sass("ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R5, desc[UR4][R2.64], R5 ;\n") == Held{{atomic(Space::vector, 4, true), 1}});
  CHECK(sass("ATOMG.E.MIN.64.STRONG.GPU PT, R4, desc[UR4][R2.64], R4 ;\n") == Held{{atomic(Space::vector, 8, true), 1}});
  CHECK(sass("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5 ;\n") == Held{{atomic(Space::vector, 4, false), 1}});
  CHECK(sass("ATOMS.CAST.SPIN.64 R6, [R11], R4, R6 ;\n") == Held{{atomic(Space::local, 8, true), 1}});
  CHECK(sass("ATOMS.POPC.INC.32 RZ, [UR4] ;\n") == Held{{atomic(Space::local, 4, false), 1}});
  CHECK(counts(parse_sass("REDUX.SUM UR4, R2 ;\n", "k")).alu == 1);
}

TEST_CASE("isa: SASS's operations are those of lanes and of the subgroup; waits are none, clocks are clocks") {
  const Listing listing = parse_sass(
      "  IMAD.WIDE.U32 R20, R19, 0x4, R8 ;\n  UIADD3 UR4, UR4, 0x1, URZ ;\n  S2UR UR6, SR_CLOCKHI ;\n  CS2R R6, SR_CLOCKLO ;\n"
      "  CS2R R8, SR_GLOBALTIMERLO ;\n  CS2R R4, SRZ ;\n  DEPBAR.LE SB0, 0x0 ;\n  BAR.SYNC.DEFER_BLOCKING 0x0 ;\n  NOP ;\n"
      "  S2UR UR5, SR_CTAID.X ;\n  CALL.REL.NOINC `($k$__internal_0_$__cuda_sm20_div_u64) ;\n",
      "k");
  const Counts found = counts(listing);
  CHECK(found.alu == 2);
  CHECK(found.scalar_alu == 2);
  CHECK(found.calls == 1);
  CHECK(found.branches == 0);
  CHECK(std::ranges::count(listing.code, InstructionKind::clock, &Instruction::kind) == 3);
}

TEST_CASE("isa: loops of SASS, by labels and by addresses") {
  // A cubin as nvdisasm prints it; the requested function.
  CHECK(innermost_loops(
            parse_sass("\t.section\t.text.other,\"ax\",@progbits\n.text.other:\n        /*0000*/                   EXIT ;\n"
                       "\t.section\t.text.k,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=12\"\n.text.k:\n"
                       "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n.L_x_0:\n"
                       "        /*0010*/                   LDG.E R2, desc[UR4][R2.64] ;\n"
                       "        /*0020*/               @P0 BRA `(.L_x_0) ;\n        /*0030*/                   EXIT ;\n"
                       ".L_x_1:\n        /*0040*/                   BRA `(.L_x_1);\n",
                       "k")) == std::vector<Loop>{{1, {1, 2}}});
  // The format of nvdisasm -b and cuobjdump, with the encoding at the end of the line; the
  // unpredicated branch to itself after the end is never reached.
  CHECK(innermost_loops(
            parse_sass("        /*0080*/                   MOV R1, c[0x0][0x28] ;             /* 0x00000a0000017a02 */\n"
                       "                                                                    /* 0x000fe40000000f00 */\n"
                       "        /*0090*/                   LDG.E R2, [R2] ;\n        /*00a0*/              @!P0 BRA 0x90 ;\n"
                       "        /*00b0*/                   EXIT ;\n        /*00c0*/                   BRA 0xc0;\n",
                       "k")) == std::vector<Loop>{{1, {1, 2}}});
  // A branch with a uniform predicate falls through, too; one with many targets goes to each.
  CHECK(innermost_loops(parse_sass(".L_x_0:\nFADD R1, R1, R2 ;\nBRA.U UP0, `(.L_x_0) ;\n.L_x_1:\n@P0 BRA `(.L_x_1) ;\nEXIT ;\n",
                                   "k")) == std::vector<Loop>{{0, {0, 1}}, {2, {2}}});
  CHECK(innermost_loops(parse_sass("BRA `(.L_x_1) ;\n.L_x_0:\n@P0 BRA `(.L_x_0) ;\n.L_x_1:\nEXIT ;\n", "k")).empty());
  CHECK(innermost_loops(parse_sass(
            ".L_x_0:\nBRX R2 -0x10 (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*) ;\n.L_x_1:\nEXIT ;\n.L_x_2:\nBRA `(.L_x_0) ;\n", "k")) ==
        std::vector<Loop>{{0, {0, 2}}});
  // A call without a return address leaves the loop: the second clock is behind it.
  CHECK(timed_turn(
            parse_sass("CS2R R2, SR_CLOCKLO ;\n.L_x_0:\nFFMA R0, R0, R0, R1 ;\n@P0 CALL.REL.NOINC `(.L_x_1) ;\nBRA `(.L_x_0) ;\n"
                       ".L_x_1:\nCS2R R4, SR_CLOCKLO ;\nEXIT ;\n",
                       "k"))
            .has_value());
  // Before Volta.
  CHECK(innermost_loops(parse_sass("SSY `(.L_2) ;\n.L_1:\nIADD R0, R0, 0x1 ;\n@P0 SYNC ;\nBRA `(.L_1) ;\n.L_2:\nEXIT ;\n",
                                   "k")) == std::vector<Loop>{{1, {1, 2, 3}}});
}

namespace {

/// Instructions by letter: l a load, a an operation, c a clock; "jN?" may go to instruction N, "jN"
/// goes there.
Listing listing_of(const std::vector<std::string>& letters) {
  Listing listing;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    listing.labels[std::to_string(i)] = i;
    Instruction made;
    switch (letters[i].front()) {
      case 'l':
        made = {.kind = InstructionKind::load, .space = Space::vector, .bytes = 4};
        break;
      case 'c':
        made.kind = InstructionKind::clock;
        break;
      case 'j':
        made.kind = InstructionKind::branch;
        made.falls_through = letters[i].ends_with('?');
        made.targets = {letters[i].substr(1, letters[i].size() - (made.falls_through ? 2 : 1))};
        break;
      default:
        made.kind = InstructionKind::alu;
    }
    listing.code.push_back(made);
  }
  return listing;
}

}  // namespace

TEST_CASE("isa: innermost loops, also where the text has them in pieces") {
  CHECK(innermost_loops(listing_of({"a", "l", "a", "j1?", "a"})) == std::vector<Loop>{{1, {1, 2, 3}}});
  // One within another.
  CHECK(innermost_loops(listing_of({"a", "l", "j1?", "a", "j0?", "a"})) == std::vector<Loop>{{1, {1, 2}}});
  // 1 goes on at 5, after the end of the function, and 6 back to 0: 3 and 4 are no part of it.
  CHECK(innermost_loops(listing_of({"a", "j5?", "j3", "a", "j4", "l", "j0"})) == std::vector<Loop>{{0, {0, 1, 5, 6}}, {4, {4}}});
  CHECK(innermost_loops(listing_of({"a", "j3?", "l", "a"})).empty());
}

TEST_CASE("isa: the timed loop is between the clocks and has the most measured accesses") {
  // A copy (two loads), the clock, a loop of one load, the clock, a check (two loads).
  const Listing clocked = listing_of({"l", "l", "j0?", "c", "a", "l", "j4?", "c", "l", "l", "j8?"});
  CHECK(timed_loop(clocked, InstructionKind::load) == Loop{4, {4, 5, 6}});
  CHECK(timed_loop(clocked, std::nullopt) == Loop{4, {4, 5, 6}});
  // Without clocks: the most loads, the last of equals; for a control the fewest.
  CHECK(timed_loop(listing_of({"l", "j0?", "l", "j2?", "a", "j4?"}), InstructionKind::load) == Loop{2, {2, 3}});
  CHECK(timed_loop(listing_of({"l", "j0?", "a", "j2?", "l", "j4?"}), std::nullopt) == Loop{2, {2, 3}});
  CHECK(timed_loop(listing_of({"l", "a"}), InstructionKind::load) == std::nullopt);
}

TEST_CASE("isa: the timed turn of arithmetic has the loops of its operations inside") {
  // A longer loop before the clock; the turn, with a loop of an operation in it; a shorter one.
  const Listing listing =
      listing_of({"a", "a", "a", "a", "a", "a", "a", "j0?", "c", "a", "a", "j10?", "a", "j9?", "a", "j14?", "c"});
  CHECK(timed_turn(listing) == Loop{9, {9, 10, 11, 12, 13}});
  CHECK(timed_turn(listing_of({"c", "a", "c"})) == std::nullopt);
  // A loop that reads two halves of the clock waits; one that reads it five times is a chain.
  CHECK(timed_turn(listing_of({"c", "c", "c", "j1?", "c"})) == std::nullopt);
  CHECK(timed_turn(listing_of({"c", "c", "c", "c", "c", "c", "j1?", "c"})) == Loop{1, {1, 2, 3, 4, 5, 6}});
}

}  // namespace percycle::isa::isa_test
