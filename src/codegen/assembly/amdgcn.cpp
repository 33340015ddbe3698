#include "codegen/assembly/amdgcn.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "codegen/assembly/lines.hpp"

namespace percycle::isa {
namespace {

using Word = std::string_view;

constexpr std::size_t kMostRepeated = 100'000;  // instructions, for a text with any number

/// Bytes by the end of a mnemonic: "dwordx4", "b128", "u64", "ubyte", "format_xyzw".
std::uint32_t access_bytes(Word mnemonic) {
  if (has(mnemonic, "dwordx")) return 4 * trailing_number(mnemonic);
  if (has(mnemonic, "byte") || mnemonic.ends_with("8")) return has(mnemonic, "b128") ? 16 : 1;
  if (has(mnemonic, "short") || mnemonic.ends_with("16")) return 2;
  if (mnemonic.ends_with("dword")) return 4;
  if (const std::size_t at = mnemonic.find("format_"); at != Word::npos)
    return 4 * static_cast<std::uint32_t>(mnemonic.size() - at - 7);
  return trailing_number(mnemonic) / 8;
}

/// "_e32", "_e64" and the like give the encoding, not the operation.
Word without_encoding(Word mnemonic) {
  for (const Word suffix : {"_e32", "_e64", "_dpp", "_sdwa"}) {
    if (mnemonic.ends_with(suffix)) mnemonic.remove_suffix(suffix.size());
  }
  return mnemonic;
}

/// Bytes that an image load returns: "dmask:0x3" selects two channels.
std::uint32_t image_bytes(Word operands) {
  constexpr Word kMask = "dmask:0x";
  const std::size_t at = operands.find(kMask);
  const std::size_t digit = at == Word::npos ? at : Word("0123456789abcdef").find(operands.substr(at + kMask.size(), 1));
  return 4 * (digit == Word::npos ? 4 : static_cast<std::uint32_t>(std::popcount(digit)));
}

/// ds_read2st64_b32, ds_load_2addr_b32: two accesses.
std::uint32_t accesses_of(Word mnemonic) {
  return has(mnemonic, "read2") || has(mnemonic, "write2") || has(mnemonic, "2addr") ? 2 : 1;
}

bool is_local_atomic(Word mnemonic) {
  return !has(mnemonic, "read") && !has(mnemonic, "load") && !has(mnemonic, "write") && !mnemonic.starts_with("ds_store_") &&
         !has(mnemonic, "permute") && !has(mnemonic, "swizzle") && !has(mnemonic, "nop");
}

Instruction local_access(Word mnemonic) {
  Instruction made{.space = Space::local, .bytes = access_bytes(mnemonic), .accesses = accesses_of(mnemonic)};
  if (is_local_atomic(mnemonic)) {
    made.kind = InstructionKind::atomic;
    made.returns = has(mnemonic, "_rtn");
  } else if (has(mnemonic, "read") || has(mnemonic, "load")) {
    made.kind = InstructionKind::load;
  } else if (has(mnemonic, "write") || has(mnemonic, "store")) {
    made.kind = InstructionKind::store;
  } else {
    made.kind = InstructionKind::alu;  // between lanes
  }
  return made;
}

Instruction vector_access(Word mnemonic, Word operands) {
  Instruction made{.space = Space::vector, .bytes = access_bytes(mnemonic)};
  if (has(mnemonic, "format_") || mnemonic.starts_with("image_")) made.space = Space::texture;
  if (mnemonic.starts_with("scratch_")) made.space = Space::scratch;
  if (has(mnemonic, "atomic_")) {
    made.kind = InstructionKind::atomic;
    made.returns = has(operands, "glc") || has(operands, "sc0") || has(operands, "TH_ATOMIC_RETURN");
    const bool wide = mnemonic.ends_with("_x2") || mnemonic.ends_with("64");
    made.bytes = wide ? 8 : 4;
  } else if (has(mnemonic, "_load") || has(mnemonic, "_sample") || has(mnemonic, "_gather")) {
    made.kind = InstructionKind::load;
    if (mnemonic.starts_with("image_")) made.bytes = has(mnemonic, "_gather") ? 16 : image_bytes(operands);
  } else if (has(mnemonic, "_store")) {
    made.kind = InstructionKind::store;
  }
  return made;
}

Instruction scalar_instruction(Word mnemonic, Word operands) {
  if (mnemonic.starts_with("s_load") || mnemonic.starts_with("s_buffer_load"))
    return {.kind = InstructionKind::load, .space = Space::scalar, .bytes = access_bytes(mnemonic)};
  if (mnemonic.starts_with("s_swappc")) return {.kind = InstructionKind::call};
  if (mnemonic.starts_with("s_cbranch") || mnemonic == "s_branch") return {.kind = InstructionKind::branch};
  if (has(mnemonic, "memtime") || has(mnemonic, "memrealtime") || has(operands, "SHADER_CYCLES") || has(operands, "GET_REALTIME"))
    return {.kind = InstructionKind::clock};
  static constexpr std::array<Word, 16> kNothing{"s_waitcnt",  "s_wait_",   "s_nop",    "s_barrier", "s_clause", "s_delay_alu",
                                                 "s_inst_",    "s_sleep",   "s_endpgm", "s_setprio", "s_dcache", "s_icache",
                                                 "s_code_end", "s_sendmsg", "s_setpc",  "s_gl1"};
  const bool nothing = std::ranges::any_of(kNothing, [&](Word start) { return mnemonic.starts_with(start); });
  return {.kind = nothing ? InstructionKind::other : InstructionKind::scalar_alu};
}

Instruction gcn_instruction(Word mnemonic, Word operands) {
  mnemonic = without_encoding(mnemonic);
  if (mnemonic.starts_with("s_")) return scalar_instruction(mnemonic, operands);
  if (mnemonic.starts_with("v_")) return {.kind = InstructionKind::alu};
  if (mnemonic.starts_with("ds_")) return local_access(mnemonic);
  for (const Word start : {"global_", "flat_", "buffer_", "tbuffer_", "scratch_", "image_"}) {
    if (mnemonic.starts_with(start)) return vector_access(mnemonic, operands);
  }
  return {};
}

/// The function's lines, with the lines after its end that list its resources.
struct Extent {
  std::size_t first = 0;
  std::size_t end = 0;
};

Extent extent_of(const std::vector<Word>& all, Word kernel) {
  const auto is_label = [&](Word line) {
    return line.starts_with(kernel) && line.size() > kernel.size() && line[kernel.size()] == ':';
  };
  const auto found = std::ranges::find_if(all, is_label);
  if (found == all.end()) return {0, all.size()};
  const auto ends = [](Word line) { return line.starts_with(".Lfunc_end"); };
  const auto end = std::find_if(found, all.end(), ends);
  return {static_cast<std::size_t>(found - all.begin()) + 1, static_cast<std::size_t>(end - all.begin())};
}

}  // namespace

Listing parse_amdgcn(std::string_view text, std::string_view kernel) {
  const std::vector<Word> all = lines(text);
  const Extent extent = extent_of(all, kernel);
  Listing listing;
  for (std::size_t i = extent.first; i < extent.end; ++i) {
    const Word line = trimmed(all[i].substr(0, all[i].find(';')));
    if (line.empty()) continue;
    if (line.ends_with(':')) {
      listing.labels.emplace(line.substr(0, line.size() - 1), listing.code.size());
      continue;
    }
    if (line.starts_with('.')) continue;
    const std::vector<Word> parts = words(line);
    if (parts.empty()) continue;
    // RADV writes a repeated instruction once and how many more follow.
    if (line.starts_with("(then repeated ")) {
      if (parts.size() < 3 || listing.code.empty()) continue;
      const Instruction again = listing.code.back();
      const std::size_t room = kMostRepeated - std::min(kMostRepeated, listing.code.size());
      listing.code.insert(listing.code.end(), std::min<std::size_t>(trailing_number(parts[2]), room), again);
      continue;
    }
    Instruction made = gcn_instruction(parts.front(), line);
    made.name = without_encoding(parts.front());
    if (made.kind == InstructionKind::branch && parts.size() > 1) made.targets.emplace_back(parts.back());
    made.falls_through = parts.front() != "s_branch" && parts.front() != "s_endpgm" && !parts.front().starts_with("s_setpc");
    listing.code.push_back(std::move(made));
  }
  // "; NumVgprs: 12" and "; ScratchSize: 0" after the function.
  for (std::size_t i = extent.end; i < all.size(); ++i) {
    const Word line = trimmed(all[i]);
    if (line.starts_with("; NumVgprs:") && !listing.registers) listing.registers = trailing_number(line);
    if (line.starts_with("; ScratchSize:") && !listing.scratch_bytes) listing.scratch_bytes = trailing_number(line);
  }
  return listing;
}

}  // namespace percycle::isa
