#include "isa/verdict.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

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
  CHECK(once.found == "31 vector load 8 B");
  CHECK(once.alu == "0.23");
  const Verdict twice = judge(pointers, {}, looped(times(62, load(Space::vector, 8))));
  CHECK(twice.reason.empty());
  CHECK(twice.found == "62 vector load 8 B (a turn of the loop is 2 of the source)");
  CHECK(reason(chase(MemoryPath::scalar, 4, "FORM_INDEX"), times(31, load(Space::scalar, 4))).empty());
  CHECK(reason(chase(MemoryPath::constant, 4, "FORM_INDEX"), times(31, load(Space::vector, 4))).empty());
  // A descriptor, read again in each turn.
  CHECK(reason(pointers, times(31, load(Space::vector, 8)) + times(1, load(Space::scalar, 16))).empty());
}

TEST_CASE("codegen verdict: accesses that are missing, or by another path than is measured") {
  const KernelVariant pointers = chase(MemoryPath::global, 8, "FORM_POINTER");
  CHECK(reason(pointers, times(30, load(Space::vector, 8))) == "30 accesses instead of 31");
  CHECK(reason(pointers, times(31, load(Space::scalar, 8))) == "none of the accesses that are measured");
  CHECK(reason(pointers, times(31, load(Space::texture, 8))) == "none of the accesses that are measured");
  CHECK(reason(chase(MemoryPath::scalar, 4, "FORM_INDEX"), times(31, load(Space::vector, 4))) ==
        "none of the accesses that are measured");
  CHECK(reason(chase(MemoryPath::scalar, 4, "FORM_INDEX"), times(31, load(Space::vector, 4)), {.scalar_path = false}).empty());
  CHECK(reason(pointers, times(31, load(Space::vector, 8)) + times(4, load(Space::local, 4))) == "other accesses in the loop");
  CHECK(judge(pointers, {}, {}).reason == "no loop is left");
}

TEST_CASE("codegen verdict: accesses of another width") {
  const KernelVariant wide = bandwidth(MemoryPath::local, 16, 8);
  CHECK(reason(wide, times(8, load(Space::local, 16))).empty());
  CHECK(reason(wide, times(16, load(Space::local, 8))) == "not 16 B at once");
  CHECK(reason(wide, times(7, load(Space::local, 16)) + times(1, load(Space::local, 8))) == "120 B instead of 8 x 16 B");
}

TEST_CASE("codegen verdict: operations beside the accesses") {
  // The control of an index has one operation per load, the control of a pointer none.
  CHECK(reason(chase(MemoryPath::global, 4, "FORM_INDEX"), times(31, load(Space::vector, 4)) + times(38, kAlu)).empty());
  CHECK(reason(chase(MemoryPath::global, 4, "FORM_INDEX"), times(31, load(Space::vector, 4)) + times(39, kAlu)) ==
        "1.26 operations to an access, more than 1.25");
  const KernelVariant pointers = chase(MemoryPath::global, 8, "FORM_POINTER");
  CHECK(reason(pointers, times(31, load(Space::vector, 8)) + times(8, kAlu)) == "0.26 operations to an access, more than 0.25");
  CHECK(reason(pointers, times(31, load(Space::vector, 8)) + times(31, kAlu), {.machine_code = false}).empty());
  // As many operations hide behind a load as the unit starts while its first cache answers, fewer
  // for local memory.
  CHECK(reason(bandwidth(MemoryPath::global, 4, 8), times(8, load(Space::vector, 4)) + times(32, kAlu)).empty());
  CHECK(reason(bandwidth(MemoryPath::global, 4, 8), times(8, load(Space::vector, 4)) + times(33, kAlu)) ==
        "4.12 operations to an access, more than 4.00");
  CHECK(reason(bandwidth(MemoryPath::local, 4, 8), times(8, load(Space::local, 4)) + times(17, kAlu)) ==
        "2.12 operations to an access, more than 2.00");
}

TEST_CASE("codegen verdict: returned values of atomics") {
  CHECK(reason(atomics(MemoryPath::local, true), times(16, atomic(Space::local, true))).empty());
  CHECK(reason(atomics(MemoryPath::local, true), times(16, atomic(Space::local, false))) ==
        "what the atomics return is left out");
  CHECK(reason(atomics(MemoryPath::global, false), times(16, atomic(Space::vector, true))) ==
        "the atomics return what nobody needs");
  CHECK(reason(atomics(MemoryPath::global, false), times(16, atomic(Space::vector, true)), {.shows_returns = false}).empty());
  CHECK(
      reason(atomics(MemoryPath::local, false), times(16, {.kind = InstructionKind::store, .space = Space::local, .bytes = 4})) ==
      "none of the accesses that are measured");
}

TEST_CASE("codegen verdict: spills, calls, and controls that access memory") {
  const KernelVariant pointers = chase(MemoryPath::global, 8, "FORM_POINTER");
  auto listing = looped(times(31, load(Space::vector, 8)));
  listing.scratch_bytes = 64;
  CHECK(judge(pointers, {}, listing).reason == "64 B of scratch memory to a lane");
  CHECK(reason(pointers, times(31, load(Space::vector, 8)) + times(2, load(Space::scratch, 4))) == "2 loads of scratch memory");
  CHECK(reason(pointers, times(31, load(Space::vector, 8)) + times(1, {.kind = InstructionKind::call})) ==
        "1 calls of functions that the compiler's library lacks");
  KernelVariant control = pointers;
  control.turn.emplace();
  CHECK(reason(control, times(5, kAlu)).empty());
  CHECK(reason(control, times(5, kAlu) + times(1, load(Space::vector, 4))) == "a control that accesses memory");
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
  CHECK(judge(copy, {}, listing).reason == "other accesses in the loop");
}

}  // namespace
}  // namespace percycle::audit::verdict_test
