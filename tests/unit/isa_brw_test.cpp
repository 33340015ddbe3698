#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "codegen/assembly/brw.hpp"
#include "codegen/assembly/timed_loop.hpp"
#include "unit/isa_accesses.hpp"

// Parts of anv's output (Mesa 22.3.6) for kernels of this project, for Skylake, Ice Lake and DG2;
// the parts with bytes and words are invented after brw_disasm.c.
namespace percycle::isa::isa_brw_test {
namespace {

Held held(std::string_view text) { return counts(parse_brw(text)).accesses; }

}  // namespace

TEST_CASE("isa: brw's messages to the data ports by path, width and lanes") {
  CHECK(
      held(
          "send(8)         g9<1>UW         g2<0,1,0>UD     0x02206c02\n"
          "                            dp data 1 MsgDesc: (untyped surface read, Surface = 2, SIMD8, Mask = 0xc) mlen 1 rlen 2 { "
          "align1 1Q };\n") == Held{{load(Space::vector, 8), 1}});
  CHECK(held("send(16)        g18<1>UW        g2<0,1,0>UD     0x04405c02\n"
             "                            dp data 1 MsgDesc: (untyped surface read, Surface = 254, SIMD16, Mask = 0x0) mlen 2 "
             "rlen 8 "
             "{ align1 1H };\n") == Held{{load(Space::local, 16), 1}});
  CHECK(
      held(
          "send(8)         g99<1>UW        g46<0,1,0>UD    0x04246cfd\n"
          "                            dp data 1 MsgDesc: (DC A64 untyped surface read, Surface = 253, SIMD8, Mask = 0xe) mlen 2 "
          "rlen 1 { align1 1Q };\n") == Held{{load(Space::vector, 4), 1}});
  CHECK(held("sends(16)       nullUD          g37UD           g4UD            0x04025c03                0x00000100\n"
             "                            dp data 1 MsgDesc: (DC untyped surface write, Surface = 3, SIMD16, Mask = 0xc) mlen 2 "
             "ex_mlen 4 rlen 0 { align1 1H };\n") == Held{{store(Space::vector, 8), 1}});
  CHECK(
      held(
          "send(16)        g18<1>UW        g2<0,1,0>UD     0x04405c02\n"
          "                            data MsgDesc: (DC byte scattered read, bti 254, 5) mlen 2 rlen 2 { align1 1H };\n"
          "send(16)        g18<1>UW        g2<0,1,0>UD     0x04405c02\n"
          "                            dp data 1 MsgDesc: (DC A64 scattered read, Surface = 253, 0x18) mlen 4 rlen 2 { align1 1H "
          "};\n") == Held{{load(Space::local, 2), 1}, {load(Space::vector, 4), 1}});
}

TEST_CASE("isa: brw spills by blocks of the stateless surface, and reads constants through the sampler or by blocks") {
  CHECK(held("send(16)        g115<1>UW       g2<0,1,0>UD     0x022803fd\n"
             "                            data MsgDesc: (DC OWORD block read, bti 253, owords = 4, aligned = 0) mlen 1 rlen 2 { "
             "align1 1H };\n"
             "sends(16)       nullUD          g2UD            g114UD          0x020a03fd                0x00000080\n"
             "                            data MsgDesc: (DC OWORD block write, bti 253, owords = 4, aligned = 0) mlen 1 ex_mlen "
             "2 rlen "
             "0 { align1 1H };\n") == Held{{load(Space::scratch, 4), 1}, {store(Space::scratch, 4), 1}});
  CHECK(held("send(8)         g21UD           g12UD           g80UD           0x0213a002                0x00000040\n"
             "                            sampler MsgDesc: ld_lz SIMD8 Surface = 2 Sampler = 0 mlen 1 ex_mlen 1 rlen 4 { align1 "
             "1Q $3 "
             "};\n") == Held{{load(Space::texture, 16), 1}});
  CHECK(held("send(16)        g38<1>UD        g50<0,1,0>UD    0x02280301\n"
             "                            const MsgDesc: (bti 1, msg_ctrl 3, msg_type 0, write_commit 0) mlen 1 rlen 2 { align1 "
             "WE_all 1H };\n") == Held{{load(Space::scalar, 64), 1}});
  CHECK(held("send(16)        g38<1>UD        g50<0,1,0>UD    0x02280301\n"
             "                            dp data 1 MsgDesc: (DC A64 oword block read, Surface = 253, owords = 2, aligned = 0) "
             "mlen 1 "
             "rlen 1 { align1 WE_all 1H };\n") == Held{{load(Space::scalar, 32), 1}});
}

TEST_CASE("isa: brw's atomics, and whether they return") {
  CHECK(
      held("sends(16)       g90UD           g88UD           g24UD           0x0420a703                0x00000080\n"
           "                            dp data 1 MsgDesc: (DC untyped atomic op, Surface = 3, SIMD16, add) mlen 2 ex_mlen 2 "
           "rlen 2 "
           "{ align1 1H };\n"
           "sends(16)       nullUD          g80UD           g78UD           0x04008704                0x00000080\n"
           "                            dp data 1 MsgDesc: (DC untyped atomic op, Surface = 254, SIMD16, cmpwr) mlen 2 ex_mlen 4 "
           "rlen 0 { align1 1H };\n") == Held{{atomic(Space::vector, 4, true), 1}, {atomic(Space::local, 4, false), 1}});
  // Their width is the width of the registers.
  CHECK(held("sends(8)        g78UD           g75UD           g12UD           0x0424b7fd                0x00000080\n"
             "                            dp data 1 MsgDesc: (DC A64 untyped atomic op, Surface = 253,  add) mlen 2 ex_mlen 2 "
             "rlen 2 { "
             "align1 1Q };\n"
             "sends(8)        nullUD          g75UD           g12UD           0x0424b7fd                0x00000080\n"
             "                            dp data 1 MsgDesc: (DC A64 untyped atomic op, Surface = 253,  cmpwr) mlen 2 ex_mlen 2 "
             "rlen 0 "
             "{ align1 1Q };\n") == Held{{atomic(Space::vector, 8, true), 1}, {atomic(Space::vector, 4, false), 1}});
}

TEST_CASE("isa: brw's messages to the load/store cache of Xe-HPG") {
  const auto cache = [](const char* unit, const char* message) {
    return held(
        fmt::format("send(16)        g89UD           g87UD           nullUD          0x64201502                0x02000000\n"
                    "                            {} MsgDesc: ( {} ) base_offset 0  {{ align1 1H $2 }};\n",
                    unit, message));
  };
  CHECK(cache("ugm", "load_cmask, a64, d32, xyzw, L1STATE_L3MOCS dst_len = 8, src0_len = 4, src1_len = 0 flat") ==
        Held{{load(Space::vector, 16), 1}});
  CHECK(cache("slm", "store_cmask, a32, d32, xy, L1STATE_L3MOCS dst_len = 0, src0_len = 2, src1_len = 4 flat") ==
        Held{{store(Space::local, 8), 1}});
  CHECK(cache("ugm", "load, a32, d32, V8, transpose, L1STATE_L3MOCS dst_len = 1, src0_len = 1, src1_len = 0 flat") ==
        Held{{load(Space::scalar, 32), 1}});
  CHECK(cache("ugm", "load, a32, d32, V1, L1STATE_L3MOCS dst_len = 2, src0_len = 2, src1_len = 0 ss") ==
        Held{{load(Space::scratch, 4), 1}});
  CHECK(cache("ugm", "atomic_add, a32, d64, V1, L1UC_L3WB dst_len = 4, src0_len = 2, src1_len = 4 bti") ==
        Held{{atomic(Space::vector, 8, true), 1}});
  CHECK(cache("slm", "atomic_umin, a32, d32, V1, L1UC_L3WB dst_len = 0, src0_len = 2, src1_len = 2 flat") ==
        Held{{atomic(Space::local, 4, false), 1}});
  CHECK(cache("tgm", "fence, a32, tile, evict, normal_routing dst_len = 1, src0_len = 1, src1_len = 0 flat").empty());
}

TEST_CASE("isa: brw's repeats for later parts of a subgroup are not counted; waits are none, clocks are clocks") {
  const Listing listing = parse_brw(
      "Push constant ranges:\n    RANGE0 (544B): Vulkan push constants and API params\n\n"
      "mov(8)          g5<1>UW         0x76543210V                     { align1 WE_all 1Q };\n"
      "add(8)          g46<1>Q         g46<4,4,1>Q     g6<0,1,0>Q      { align1 1Q };\n"
      "add(8)          g48<1>Q         g48<4,4,1>Q     g6<0,1,0>Q      { align1 2Q compacted };\n"
      "send(8)         g63UD           g61UD           0x0424b7fd\n"
      "                            dp data 1 MsgDesc: (DC A64 untyped surface read, Surface = 253, SIMD8, Mask = 0xe) mlen 2 "
      "rlen 1 { "
      "align1 2Q };\n"
      "and(1)          g51<1>UD        g0<0,1,0>UD     0xffffffc0UD    { align1 WE_all 1N };\n"
      "mov(4)          g25<1>UD        tm0<4,4,1>UD                    { align1 WE_all 1N compacted };\n"
      "sync nop(1)                     null<0,1,0>UB                   { align1 WE_all 1N $0.dst };\n"
      "send(16)        g22UD           g0UD            nullUD          0x02000004                0x00000000\n"
      "                            gateway MsgDesc: (barrier msg) mlen 1 ex_mlen 0 rlen 0 { align1 WE_all 1H $4 };\n"
      "send(8)         g2<1>UD         g0<8,8,1>UD     0x0219e000\n"
      "                            data MsgDesc: (DC mfence, bti 254, 32) mlen 1 rlen 1 { align1 WE_all 1Q };\n"
      "send(16)        null<1>UW       g126<8,8,1>UW   0x82000010\n"
      "                            thread_spawner MsgDesc: mlen 1 rlen 0           { align1 WE_all 1H EOT };\n");
  const Counts found = counts(listing);
  CHECK(found.alu == 2);
  CHECK(found.scalar_alu == 1);
  CHECK(found.accesses.empty());
  CHECK(std::ranges::count(listing.code, InstructionKind::clock, &Instruction::kind) == 1);
  CHECK(!listing.code.back().falls_through);
}

TEST_CASE("isa: a loop of brw's ends in a while, and is left by breaks") {
  const Listing listing = parse_brw(
      "mov(16)         g8<1>UD         0x00000000UD                    { align1 1H compacted };\n\nLABEL2:\n"
      "cmp.ge.f0.0(16) null<1>UD       g8<8,8,1>UD     g1.1<0,1,0>UD   { align1 1H compacted };\n"
      "(+f0.0) break(16) JIP:  LABEL1        UIP:  LABEL1              { align1 1H };\n"
      "(+f0.0) sel(16) g8<1>D          g8<8,8,1>D      1D              { align1 1H compacted };\n\nLABEL1:\n"
      "while(16)       JIP:  LABEL2                                    { align1 1H };\n"
      "(+f0.0) if(16)  JIP:  LABEL0          UIP:  LABEL0              { align1 1H };\n\nLABEL0:\n"
      "endif(16)       JIP:  LABEL3                                    { align1 1H };\n\nLABEL3:\n"
      "mov(8)          g126<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q compacted };\n");
  CHECK(listing.code[2].targets == std::vector<std::string>{"LABEL1", "LABEL1"});
  CHECK(innermost_loops(listing) == std::vector<Loop>{{1, {1, 2, 3, 4}}});
  CHECK(counts(listing, innermost_loops(listing)[0]).alu == 2);
}

}  // namespace percycle::isa::isa_brw_test
