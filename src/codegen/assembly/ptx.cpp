#include "codegen/assembly/ptx.hpp"

#include <algorithm>

#include "codegen/assembly/lines.hpp"

namespace percycle::isa {
namespace {

using Word = std::string_view;

/// ".v4.u32": 16.
std::uint32_t bytes_of(Word mnemonic) {
  const std::uint32_t each = trailing_number(mnemonic) / 8;
  return each * (has(mnemonic, ".v4.") ? 4 : has(mnemonic, ".v2.") ? 2 : 1);
}

Instruction access(InstructionKind kind, Word mnemonic) {
  Instruction made{.kind = kind, .bytes = bytes_of(mnemonic)};
  if (has(mnemonic, ".param")) return {};
  if (has(mnemonic, ".shared")) made.space = Space::local;
  if (has(mnemonic, ".const")) made.space = Space::scalar;
  if (has(mnemonic, ".local")) made.space = Space::scratch;
  made.returns = mnemonic.starts_with("atom");
  return made;
}

Instruction ptx_instruction(Word mnemonic, Word line) {
  if (has(line, "%clock") || has(line, "%globaltimer")) return {.kind = InstructionKind::clock};
  if (mnemonic.starts_with("ld.") || mnemonic.starts_with("ldu.")) return access(InstructionKind::load, mnemonic);
  if (mnemonic.starts_with("st.")) return access(InstructionKind::store, mnemonic);
  if (mnemonic.starts_with("atom.") || mnemonic.starts_with("red.")) return access(InstructionKind::atomic, mnemonic);
  if (mnemonic.starts_with("tex.") || mnemonic.starts_with("tld4.") || mnemonic.starts_with("suld."))
    return {.kind = InstructionKind::load, .space = Space::texture, .bytes = 16};
  if (mnemonic == "bra" || mnemonic.starts_with("bra.")) return {.kind = InstructionKind::branch};
  for (const Word other : {"mov", "bar", "membar", "fence", "ret", "cvta", "exit"}) {
    if (mnemonic.starts_with(other)) return {};
  }
  return {.kind = InstructionKind::alu};
}

}  // namespace

Listing parse_ptx(std::string_view text, std::string_view kernel) {
  Listing listing;
  bool inside = false;
  for (const Word whole : lines(text)) {
    Word line = trimmed(whole.substr(0, whole.find("//")));
    if (has(line, ".entry ") || has(line, ".func ")) {
      const std::size_t at = line.find(kernel);
      const bool named = at != Word::npos && line.substr(at + kernel.size()).find_first_not_of("( ") == Word::npos;
      inside = has(line, ".entry ") && (kernel.empty() || named);
      continue;
    }
    if (!inside || line.empty()) continue;
    if (line.ends_with(':')) {
      listing.labels.emplace(line.substr(0, line.size() - 1), listing.code.size());
      continue;
    }
    // Its operands are on their own lines.
    if (line.starts_with("call")) listing.code.push_back({.kind = InstructionKind::call});
    if (!line.ends_with(';') || line.front() == '.' || line.front() == '(' || line.front() == ')' || line.starts_with("call"))
      continue;
    line.remove_suffix(1);
    const bool conditional = line.starts_with('@');
    if (conditional) line = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
    const std::vector<Word> parts = words(line);
    if (parts.empty()) continue;
    Instruction made = ptx_instruction(parts.front(), line);
    made.name = parts.front();
    if (made.kind == InstructionKind::branch) made.targets.emplace_back(parts.back());
    made.falls_through = conditional || (made.kind != InstructionKind::branch && !parts.front().starts_with("ret"));
    listing.code.push_back(std::move(made));
  }
  return listing;
}

}  // namespace percycle::isa
