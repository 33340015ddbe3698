#include "codegen/binaries/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "codegen/assembly/names.hpp"
#include "codegen/assembly/timed_loop.hpp"
#include "codegen/binaries/measured_accesses.hpp"
#include "core/access.hpp"

namespace percycle {
namespace {

std::optional<double> alu_per_access(const CodeCounts& counts, const std::vector<TurnAccess>& turn) {
  std::set<std::size_t> measured;
  for (const TurnAccess& wanted : turn) {
    for (const std::size_t i : measured_accesses(counts.accesses, wanted)) measured.insert(i);
  }
  std::uint64_t accesses = 0;
  for (const std::size_t i : measured) accesses += counts.accesses[i].count;
  if (accesses == 0) return std::nullopt;
  return static_cast<double>(counts.alu + counts.scalar_alu) / static_cast<double>(accesses);
}

std::vector<CodeInstruction> by_frequency(const std::map<std::string, std::uint64_t>& names) {
  std::vector<CodeInstruction> all;
  for (const auto& [name, count] : names) all.push_back({name, count});
  std::ranges::stable_sort(all, std::ranges::greater{}, &CodeInstruction::count);
  return all;
}

CodeCounts code_counts(const isa::Counts& counts) {
  return {.accesses = code_accesses(counts),
          .alu = counts.alu,
          .scalar_alu = counts.scalar_alu,
          .branches = counts.branches,
          .calls = counts.calls,
          .alu_per_access = {},
          .instructions = by_frequency(counts.names)};
}

// Instructions that begin and end a turn of a chain: the hash, the first values, the loop.
constexpr std::uint64_t kOfATurn = 10;

std::uint64_t arithmetic_of(const CodeCounts& counts) { return counts.alu + counts.scalar_alu; }

bool joins_operations(const Codegen& codegen, const TurnArithmetic& source) {
  return codegen.counts && codegen.counts->calls == 0 && arithmetic_of(*codegen.counts) < source.least_instructions();
}

std::string joined_note(const CodeCounts& counts, const TurnArithmetic& source) {
  return fmt::format("{} operations of the source are {} instructions here", source.least_instructions(), arithmetic_of(counts));
}

/// Whether a compiler repeated the whole turn. Its operations then look like several instructions.
bool is_unrolled(const CodeCounts& counts, const TurnArithmetic& source) {
  if (counts.instructions.empty() || source.count == 0) return false;
  const std::uint64_t most = counts.instructions.front().count;
  const std::uint64_t turns = most / source.count;
  return source.helper == 0 && turns > 1 && most % source.count == 0 && arithmetic_of(counts) - most <= kOfATurn * turns;
}

/// "64 products (16x8x16) are 64 HMMA.16816.F32 here".
std::string matrix_note(const CodeCounts& counts, const TurnArithmetic& source) {
  std::string found;
  for (const CodeInstruction& each : counts.instructions) {
    if (isa::multiplies_matrices(each.name)) found += fmt::format("{}{} {}", found.empty() ? "" : " and ", each.count, each.name);
  }
  if (found.empty()) found = fmt::format("{} instructions, none of which multiplies matrices,", counts.alu);
  return fmt::format("{} {} are {} here", source.count, source.name, found);
}

/// The sentence for Codegen::note; empty for one instruction per operation.
std::string note_of(const Codegen& codegen, const TurnArithmetic& source) {
  if (!codegen.counts) return {};
  const std::uint64_t found = arithmetic_of(*codegen.counts);
  if (source.is_matrix) return matrix_note(*codegen.counts, source);
  // A driver may also jump back to the loop's begin, or to code behind the kernel, by one call.
  const std::uint64_t calls = codegen.counts->calls;
  if (calls > 0 && (calls >= source.count || found < source.least_instructions()))
    return fmt::format("one {} calls a function here", source.name);
  if (joins_operations(codegen, source)) return joined_note(*codegen.counts, source);
  if (is_unrolled(*codegen.counts, source)) return {};
  const double each = static_cast<double>(found - std::min(found, kOfATurn)) / static_cast<double>(source.count) - source.helper;
  const auto rounded = std::lround(each);
  return rounded > 1 ? fmt::format("one {} is {} instructions here", source.name, rounded) : std::string();
}

/// The sentence for Codegen::note of a kernel with branches on values of its lanes.
std::string branch_note(const isa::Listing& listing) {
  const auto turn = isa::timed_turn(listing);
  if (!turn) return {};
  const std::uint64_t found = isa::decisions(listing, *turn);
  if (found == 0) return "no branch here: every lane runs all sides, by predicates, masks or selections";
  return fmt::format("{} branch{} here", found, found == 1 ? "" : "es");
}

std::optional<CodeCounts> counts_of(const isa::Listing& listing, const TimedCode& timed) {
  if (!timed.has_loop) return code_counts(isa::counts(listing));
  const bool measures = timed.turn && !timed.turn->empty();
  const auto loop = timed.arithmetic
                        ? isa::timed_turn(listing)
                        : isa::timed_loop(listing, measures ? std::optional(kind_of(timed.turn->front().kind)) : std::nullopt);
  if (!loop) return std::nullopt;
  return code_counts(isa::counts(listing, *loop));
}

/// The sum of the statistics with these names; empty if there are none.
std::optional<std::uint64_t> sum_of(const std::optional<CodeInfo>& info, std::initializer_list<const char*> names) {
  if (!info) return std::nullopt;
  std::optional<std::uint64_t> sum;
  for (const char* name : names) {
    const auto found = info->statistics.find(name);
    if (found != info->statistics.end()) sum = sum.value_or(0) + found->second;
  }
  return sum;
}

/// The number before these words ("0 bytes spill stores", "Used 12 registers"); empty if they are
/// missing.
std::optional<std::uint64_t> number_before(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t first = text.find_last_not_of("0123456789", at - 1) + 1;
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data() + first, text.data() + at, number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

template <typename T>
void fill(std::optional<std::uint64_t>& field, const std::optional<T>& value) {
  if (!field && value) field = *value;
}

constexpr std::uint64_t kMostScratchBytes = std::uint64_t{512} << 10u;

}  // namespace

Codegen summarize(const KernelCode& code, const std::optional<CodeInfo>& info, const TimedCode& timed) {
  Codegen made;
  made.missing = fmt::format("{}", fmt::join(code.reasons, "; "));
  made.registers = sum_of(info, {"VGPRs", "Register Count"});
  made.spills =
      sum_of(info, {"Spilled SGPRs", "Spilled VGPRs", "Spill count", "Spill Count", "Spills", "CL_KERNEL_SPILL_MEM_SIZE_INTEL"});
  // Not anv's "Scratch Memory Size", which is per thread.
  made.scratch_bytes = sum_of(info, {"Scratch size", "Local Memory Size"});
  // NVIDIA's Vulkan driver 580 reports 64 GiB for every kernel. A lane has at most 512 KiB there
  // (CUDA C++ Programming Guide, technical specifications per compute capability), elsewhere less.
  if (made.scratch_bytes.value_or(0) > kMostScratchBytes) made.scratch_bytes.reset();
  if (const CodeForm* form = code.readable()) {
    const isa::Listing listing = parse(*form, timed.kernel_name);
    made.form = form->name;
    made.whole = !timed.has_loop;
    made.counts = counts_of(listing, timed);
    if (made.counts && !timed.arithmetic) made.counts->instructions.clear();
    if (timed.arithmetic && form->language != CodeLanguage::ptx)
      made.note = timed.arithmetic->branches > 0 ? branch_note(listing) : note_of(made, *timed.arithmetic);
    if (made.counts && timed.turn) made.counts->alu_per_access = alu_per_access(*made.counts, *timed.turn);
    // On a CPU its meaning varies.
    fill(made.scratch_bytes, sum_of(info, {"CL_KERNEL_PRIVATE_MEM_SIZE"}));
    fill(made.code_bytes, listing.code_bytes);
    fill(made.registers, listing.registers);
    fill(made.scratch_bytes, listing.scratch_bytes);
  }
  const auto said = std::ranges::find(code.forms, "ptxas", &CodeForm::suffix);
  if (said != code.forms.end()) {
    fill(made.registers, number_before(said->text, " registers"));
    fill(made.spills, number_before(said->text, " bytes spill stores"));
    fill(made.scratch_bytes, number_before(said->text, " bytes stack frame"));
  }
  return made;
}

std::vector<std::string> codegen_warnings(const Codegen& codegen, const TimedCode& timed) {
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& fault) {
    warnings.push_back(fmt::format("machine code ({}): {}", codegen.form, fault));
  };
  const bool measures = timed.turn && !timed.turn->empty();
  if (!codegen.form.empty() && measures && !codegen.counts) warn("percycle found no timed loop");
  if (codegen.counts && measures) {
    for (const TurnAccess& wanted : *timed.turn) {
      std::uint64_t bytes = 0;
      for (const std::size_t i : measured_accesses(codegen.counts->accesses, wanted)) {
        const CodeAccess& access = codegen.counts->accesses[i];
        bytes += access.count * access.bytes;
      }
      if (bytes < wanted.count * wanted.width)
        warn(fmt::format("the loop has {} B of {} {}s, the source {} x {} B", bytes, name_of(wanted.path), name_of(wanted.kind),
                         wanted.count, wanted.width));
    }
  }
  const bool machine_code = codegen.form != "PTX";
  if (timed.arithmetic && machine_code) {
    if (!codegen.form.empty() && !codegen.counts) warn("percycle found no timed loop");
    if (joins_operations(codegen, *timed.arithmetic)) warn(joined_note(*codegen.counts, *timed.arithmetic));
  }
  if (codegen.counts) {
    std::uint64_t scratch = 0;
    for (const CodeAccess& each : codegen.counts->accesses) scratch += each.space == "scratch" ? each.count : 0;
    if (scratch > 0) warn(fmt::format("the loop has {} access{} to scratch memory", scratch, scratch == 1 ? "" : "es"));
  }
  if (codegen.spills.value_or(0) > 0)
    warnings.push_back(fmt::format("machine code: the compiler reports a spill count of {}", *codegen.spills));
  return warnings;
}

}  // namespace percycle
