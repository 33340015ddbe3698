#include "isa/verdict.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "check_words.hpp"

namespace percycle::audit::verdict_test {
namespace {

using isa::Instruction;
using isa::InstructionKind;
using isa::Space;

using Code = std::vector<Instruction>;

Instruction load(Space space, std::uint32_t bytes) { return {.kind = InstructionKind::load, .space = space, .bytes = bytes}; }
Instruction atomic(Space space, bool returns) {
  return {.kind = InstructionKind::atomic, .space = space, .bytes = 4, .returns = returns};
}
const Instruction kAlu{.kind = InstructionKind::alu};

Code times(std::size_t count, const Instruction& instruction) { return Code(count, instruction); }

Code operator+(Code first, const Code& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// A kernel whose timed loop has these instructions.
isa::Listing looped(const Code& body) {
  isa::Listing listing;
  listing.code = Code{{.kind = InstructionKind::clock}} + body +
                 Code{{.kind = InstructionKind::branch, .targets = {"loop"}}, {.kind = InstructionKind::clock}};
  listing.labels = {{"loop", 1}};
  return listing;
}

KernelVariant chase(MemoryPath path, std::uint32_t width, const char* form) {
  KernelVariant variant;
  variant.desc.name = "latency";
  variant.desc.definitions = {{"FORM", form}};
  variant.turn = {{.path = path, .kind = AccessKind::read, .width = width, .count = 31}};
  return variant;
}

KernelVariant bandwidth(MemoryPath path, std::uint32_t width, std::uint64_t count) {
  KernelVariant variant;
  variant.desc.name = "unit_bandwidth";
  variant.desc.definitions = {{"FORM", "FORM_PLAIN"}};
  variant.turn = {{.path = path, .kind = AccessKind::read, .width = width, .count = count}};
  return variant;
}

KernelVariant atomics(MemoryPath path, bool returns) {
  KernelVariant variant;
  variant.desc.name = "atomic_throughput";
  variant.turn = {{.path = path, .kind = AccessKind::atomic, .width = 4, .count = 16, .returns = returns}};
  return variant;
}

std::string reason(const KernelVariant& variant, const Code& body, const Dialect& dialect = {}) {
  return judge(variant, dialect, looped(body)).reason;
}

TEST_CASE("codegen verdict: a loop that holds the accesses of a turn, once or several times") {
  const KernelVariant pointers = chase(MemoryPath::global, 8, "FORM_POINTER");
  const Verdict once = judge(pointers, {}, looped(times(31, load(Space::vector, 8)) + times(7, kAlu)));
  CHECK(once.reason.empty());
  CHECK_WORDS("verdict.found", once.found);
  CHECK(once.alu == "0.23");
  const Verdict twice = judge(pointers, {}, looped(times(62, load(Space::vector, 8))));
  CHECK(twice.reason.empty());
  CHECK_WORDS("verdict.found-twice-unrolled", twice.found);
  CHECK(reason(chase(MemoryPath::scalar, 4, "FORM_INDEX"), times(31, load(Space::scalar, 4))).empty());
  CHECK(reason(chase(MemoryPath::constant, 4, "FORM_INDEX"), times(31, load(Space::vector, 4))).empty());
  // A descriptor, read again in each turn.
  CHECK(reason(pointers, times(31, load(Space::vector, 8)) + times(1, load(Space::scalar, 16))).empty());
}

TEST_CASE("codegen verdict: accesses that are missing, or by another path than is measured") {
  const KernelVariant pointers = chase(MemoryPath::global, 8, "FORM_POINTER");
  CHECK_WORDS("verdict.too-few", reason(pointers, times(30, load(Space::vector, 8))));
  CHECK_WORDS("verdict.none-measured", reason(pointers, times(31, load(Space::scalar, 8))));
  CHECK_WORDS("verdict.none-measured", reason(pointers, times(31, load(Space::texture, 8))));
  CHECK_WORDS("verdict.none-measured", reason(chase(MemoryPath::scalar, 4, "FORM_INDEX"), times(31, load(Space::vector, 4))));
  CHECK(reason(chase(MemoryPath::scalar, 4, "FORM_INDEX"), times(31, load(Space::vector, 4)), {.scalar_path = false}).empty());
  CHECK_WORDS("verdict.other-accesses", reason(pointers, times(31, load(Space::vector, 8)) + times(4, load(Space::local, 4))));
  CHECK_WORDS("verdict.no-loop", judge(pointers, {}, {}).reason);
}

TEST_CASE("codegen verdict: accesses of another width") {
  const KernelVariant wide = bandwidth(MemoryPath::local, 16, 8);
  CHECK(reason(wide, times(8, load(Space::local, 16))).empty());
  CHECK_WORDS("verdict.not-16-bytes", reason(wide, times(16, load(Space::local, 8))));
  CHECK_WORDS("verdict.less-bytes", reason(wide, times(7, load(Space::local, 16)) + times(1, load(Space::local, 8))));
}

TEST_CASE("codegen verdict: operations beside the accesses") {
  // The control of an index has one operation per load, the control of a pointer none.
  CHECK(reason(chase(MemoryPath::global, 4, "FORM_INDEX"), times(31, load(Space::vector, 4)) + times(38, kAlu)).empty());
  CHECK_WORDS("verdict.chase-operations",
              reason(chase(MemoryPath::global, 4, "FORM_INDEX"), times(31, load(Space::vector, 4)) + times(39, kAlu)));
  const KernelVariant pointers = chase(MemoryPath::global, 8, "FORM_POINTER");
  CHECK_WORDS("verdict.pointer-operations", reason(pointers, times(31, load(Space::vector, 8)) + times(8, kAlu)));
  CHECK(reason(pointers, times(31, load(Space::vector, 8)) + times(31, kAlu), {.machine_code = false}).empty());
  // As many operations hide behind a load as the unit starts while its first cache answers, fewer
  // for local memory.
  CHECK(reason(bandwidth(MemoryPath::global, 4, 8), times(8, load(Space::vector, 4)) + times(32, kAlu)).empty());
  CHECK_WORDS("verdict.global-operations",
              reason(bandwidth(MemoryPath::global, 4, 8), times(8, load(Space::vector, 4)) + times(33, kAlu)));
  CHECK_WORDS("verdict.local-operations",
              reason(bandwidth(MemoryPath::local, 4, 8), times(8, load(Space::local, 4)) + times(17, kAlu)));
}

TEST_CASE("codegen verdict: returned values of atomics") {
  CHECK(reason(atomics(MemoryPath::local, true), times(16, atomic(Space::local, true))).empty());
  CHECK_WORDS("verdict.return-left-out", reason(atomics(MemoryPath::local, true), times(16, atomic(Space::local, false))));
  CHECK_WORDS("verdict.return-not-needed", reason(atomics(MemoryPath::global, false), times(16, atomic(Space::vector, true))));
  CHECK(reason(atomics(MemoryPath::global, false), times(16, atomic(Space::vector, true)), {.shows_returns = false}).empty());
  CHECK_WORDS("verdict.none-measured", reason(atomics(MemoryPath::local, false),
                                              times(16, {.kind = InstructionKind::store, .space = Space::local, .bytes = 4})));
}

TEST_CASE("codegen verdict: spills, calls, and controls that access memory") {
  const KernelVariant pointers = chase(MemoryPath::global, 8, "FORM_POINTER");
  auto listing = looped(times(31, load(Space::vector, 8)));
  listing.scratch_bytes = 64;
  CHECK_WORDS("verdict.scratch-memory", judge(pointers, {}, listing).reason);
  CHECK_WORDS("verdict.scratch-loads", reason(pointers, times(31, load(Space::vector, 8)) + times(2, load(Space::scratch, 4))));
  CHECK_WORDS("verdict.calls", reason(pointers, times(31, load(Space::vector, 8)) + times(1, {.kind = InstructionKind::call})));
  KernelVariant control = pointers;
  control.turn.emplace();
  CHECK(reason(control, times(5, kAlu)).empty());
  CHECK_WORDS("verdict.control-accesses", reason(control, times(5, kAlu) + times(1, load(Space::vector, 4))));
}

TEST_CASE("codegen verdict: a kernel without a loop is judged as a whole, one of two accesses by both") {
  KernelVariant copy;
  copy.desc.name = "dram_bandwidth";
  copy.has_loop = false;
  copy.turn = {{.path = MemoryPath::global, .kind = AccessKind::read, .width = 16, .count = 2},
               {.path = MemoryPath::global, .kind = AccessKind::write, .width = 16, .count = 2}};
  isa::Listing listing;
  const Instruction store{.kind = InstructionKind::store, .space = Space::vector, .bytes = 16};
  listing.code = times(1, load(Space::scalar, 8)) + times(2, load(Space::vector, 16)) + times(2, store);
  CHECK(judge(copy, {}, listing).reason.empty());
  listing.code.push_back(store);
  listing.code.push_back(store);
  CHECK_WORDS("verdict.other-accesses", judge(copy, {}, listing).reason);
}

}  // namespace
}  // namespace percycle::audit::verdict_test
