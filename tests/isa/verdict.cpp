#include "verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/assembly/names.hpp"
#include "codegen/binaries/measured_accesses.hpp"

namespace percycle::audit {
namespace {

using isa::Access;
using isa::Counts;
using isa::InstructionKind;
using isa::Space;

// Per load: operations that advance and end a loop, spread over its loads.
constexpr double kOfTheLoop = 0.25;

std::string to_text(const CodeAccess& access, const Dialect& dialect) {
  const bool silent = access.kind == "atomic" && !access.returns && dialect.shows_returns;
  return fmt::format("{} {} {} {} B{}", access.count, access.space, access.kind, access.bytes,
                     silent ? " (returns nothing)" : "");
}

std::string definition(const KernelVariant& variant, const char* name) {
  const auto found = variant.desc.definitions.find(name);
  return found == variant.desc.definitions.end() ? "" : found->second;
}

/// The most frequent instructions, with their numbers.
std::string most_frequent(const Counts& counts) {
  constexpr std::size_t kNames = 3;
  std::vector<std::pair<std::string, std::uint64_t>> all(counts.names.begin(), counts.names.end());
  std::ranges::stable_sort(all, std::ranges::greater{}, &std::pair<std::string, std::uint64_t>::second);
  all.resize(std::min(all.size(), kNames));
  std::vector<std::string> texts;
  for (const auto& [name, count] : all) texts.push_back(fmt::format("{} {}", count, name));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Additions of a program of straight-line code; 0 for other kernels.
std::uint64_t straight_additions(const KernelVariant& variant) {
  const auto number = [&](const char* macro) { return std::stoull(definition(variant, macro)); };
  if (variant.desc.name == "instruction_cache") return number("BLOCK") * number("BLOCKS");
  if (variant.desc.name != "instruction_sharing") return 0;
  const bool victim_has_code = definition(variant, "CONSTANT_VICTIM").empty();
  return number("BLOCK") * number("SIDE_BLOCKS") * (victim_has_code ? 2 : 1);
}

/// The largest number of operations per measured access that does not affect the measurement; empty
/// if the access hides any number, or shows their cost.
std::optional<double> most_operations(const KernelVariant& variant, const Dialect& dialect) {
  const std::string& kernel = variant.desc.name;
  const std::string form = definition(variant, "FORM");
  if (variant.turn->empty() || form == "FORM_MASKED") return std::nullopt;
  const TurnAccess& first = variant.turn->front();
  const bool local = first.path == MemoryPath::local;
  // The control has one dependent operation per load if an index is scaled, else none.
  if (kernel == "latency") return (form == "FORM_INDEX" ? 1 : 0) + kOfTheLoop;
  if (kernel == "private_caches" || kernel == "sharing") return 1 + kOfTheLoop;
  if (kernel == "unit_bandwidth" && form == "FORM_CHASE") return 1 + kOfTheLoop;
  // Operations that hide behind a load of this size.
  if (kernel == "unit_bandwidth" || kernel == "cache_bandwidth")
    return first.width * (local ? dialect.operations_per_local_byte : dialect.operations_per_byte);
  // Local memory serves 32 lanes per cycle (GCN): two operations of 64 lanes hide behind an atomic.
  // Global memory is far slower.
  if (kernel == "atomic_throughput" && local) return 2 + kOfTheLoop;
  return std::nullopt;
}

/// Removes the accesses in `left` that match `wanted`; returns how many times over, or why not.
struct Match {
  double times = 0;
  std::string reason;
};

Match take(std::vector<CodeAccess>& left, const TurnAccess& wanted, bool alone, const Dialect& dialect) {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::optional<std::uint32_t> width;
  bool same_width = true;
  bool wrong_form = false;
  for (const std::size_t i : measured_accesses(left, wanted, dialect.scalar_path)) {
    CodeAccess& access = left[i];
    const std::uint64_t taken = alone ? access.count : std::min(access.count, wanted.count - std::min(wanted.count, count));
    if (taken == 0) continue;
    count += taken;
    bytes += taken * access.bytes;
    same_width = same_width && (!width || *width == access.bytes);
    width = access.bytes;
    wrong_form = wrong_form || (wanted.kind == AccessKind::atomic && dialect.shows_returns && access.returns != wanted.returns);
    access.count -= taken;
  }
  const std::uint64_t whole = wanted.count * wanted.width;
  if (count == 0) return {0, "none of the accesses that are measured"};
  const double times = static_cast<double>(bytes) / static_cast<double>(whole);
  if (count < wanted.count && same_width && *width == wanted.width)
    return {times, fmt::format("{} accesses instead of {}", count, wanted.count)};
  if (bytes % whole != 0) return {times, fmt::format("{} B instead of {} x {} B", bytes, wanted.count, wanted.width)};
  const std::uint32_t at_once =
      wanted.path == MemoryPath::local ? std::min(wanted.width, dialect.widest_local_load) : wanted.width;
  if (!same_width || *width != at_once) return {times, fmt::format("not {} B at once", at_once)};
  if (wrong_form) return {times, wanted.returns ? "what the atomics return is left out" : "the atomics return what nobody needs"};
  return {times, {}};
}

}  // namespace

Verdict judge(const KernelVariant& variant, const Dialect& dialect, const isa::Listing& listing) {
  Verdict verdict;
  std::vector<std::string> reasons;
  if (listing.scratch_bytes.value_or(0) > 0)
    reasons.push_back(fmt::format("{} B of scratch memory to a lane", *listing.scratch_bytes));
  const auto done = [&] {
    verdict.reason = fmt::format("{}", fmt::join(reasons, "; "));
    return verdict;
  };
  if (const auto spills = isa::counts(listing).number(InstructionKind::load, Space::scratch); spills > 0)
    reasons.push_back(fmt::format("{} loads of scratch memory", spills));
  const auto state_code = [&](const Counts& counts) {
    const std::uint64_t additions = straight_additions(variant);
    if (additions == 0) return;
    if (counts.alu < additions) reasons.push_back(fmt::format("{} operations for {} additions", counts.alu, additions));
    verdict.found = listing.code_bytes ? fmt::format("{} B of code", *listing.code_bytes) : "code of unknown length";
    verdict.found += fmt::format(" for {} additions", additions);
  };
  if (!variant.turn) {
    state_code(isa::counts(listing));
    return done();
  }

  const bool measures = !variant.turn->empty();
  Counts counts;
  if (variant.has_loop) {
    const auto kind = measures ? std::optional(kind_of(variant.turn->front().kind)) : std::nullopt;
    const auto loop = variant.arithmetic ? timed_turn(listing) : timed_loop(listing, kind);
    if (!loop) {
      reasons.emplace_back("no loop is left");
      return done();
    }
    counts = isa::counts(listing, *loop);
  } else {
    counts = isa::counts(listing);
    counts.pairs = 0;
    // Arguments, and sums other than the measured one.
    std::erase_if(counts.accesses, [](const auto& each) {
      const Access& access = each.first;
      return access.space == Space::scalar || access.space == Space::local || access.kind == InstructionKind::atomic;
    });
  }

  if (counts.calls > 0) reasons.push_back(fmt::format("{} calls of functions that the compiler's library lacks", counts.calls));
  std::vector<CodeAccess> left = code_accesses(counts);
  std::vector<std::string> texts;
  for (const CodeAccess& access : left) texts.push_back(to_text(access, dialect));
  verdict.found = texts.empty() ? "no access" : fmt::format("{}", fmt::join(texts, ", "));
  if (counts.pairs > 0) verdict.found += fmt::format(" (by {} instructions of two)", counts.pairs);

  std::optional<double> times;
  std::uint64_t measured = 0;
  for (const TurnAccess& wanted : *variant.turn) {
    const Match match = take(left, wanted, variant.turn->size() == 1, dialect);
    if (!match.reason.empty()) {
      reasons.push_back(match.reason);
    } else if (times && *times != match.times) {
      reasons.push_back(fmt::format("{} times one access and {} times another", *times, match.times));
    }
    times = match.times;
    measured += static_cast<std::uint64_t>(match.times * static_cast<double>(wanted.count));
  }
  if (!measures) {
    const auto is_no_store = [](const CodeAccess& access) { return access.kind != "store"; };
    if (std::ranges::any_of(left, is_no_store)) reasons.emplace_back("a control that accesses memory");
  }
  if (times && *times > 1) verdict.found += fmt::format(" (a turn of the loop is {:.3g} of the source)", *times);

  if (variant.arithmetic) {
    const TurnArithmetic& source = *variant.arithmetic;
    const std::uint64_t found = counts.alu + counts.scalar_alu;
    verdict.found = fmt::format("{} instructions: {}", found, most_frequent(counts));
    if (const auto turn = timed_turn(listing); turn && source.branches > 0)
      verdict.found += fmt::format("; branches: {}", decisions(listing, *turn));
    verdict.alu = fmt::format("{:.2f}", static_cast<double>(found) / static_cast<double>(source.count));
    if (dialect.machine_code && counts.calls == 0 && found < source.least_instructions())
      reasons.push_back(fmt::format("{} instructions for {} operations", found, source.least_instructions()));
    const auto multiplies = [](const auto& each) { return isa::multiplies_matrices(each.first); };
    if (source.is_matrix && std::ranges::none_of(counts.names, multiplies))
      reasons.emplace_back("no instruction that multiplies matrices");
  }

  state_code(counts);

  if (measured > 0) {
    const double alu = static_cast<double>(counts.alu + counts.scalar_alu) / static_cast<double>(measured);
    verdict.alu = fmt::format("{:.2f}", alu);
    const auto most = most_operations(variant, dialect);
    if (dialect.machine_code && most && alu > *most)
      reasons.push_back(fmt::format("{:.2f} operations to an access, more than {:.2f}", alu, *most));
    const bool writes = std::ranges::any_of(*variant.turn, [](const TurnAccess& each) { return each.kind == AccessKind::write; });
    std::uint64_t more = 0;
    for (const CodeAccess& access : left) {
      // Descriptors and parameters, read again in each turn; in a kernel that does not write, times
      // and sums may be.
      if ((writes || access.kind != "store") && access.space != "scalar") more += access.count;
    }
    if (more * 8 > measured) reasons.push_back("other accesses in the loop");
  }
  return done();
}

}  // namespace percycle::audit
