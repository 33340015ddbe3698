#include "codegen/assembly/brw.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "codegen/assembly/lines.hpp"

namespace percycle::isa {
namespace {

using Word = std::string_view;

constexpr std::uint32_t kRegisterBytes = 32;
constexpr unsigned kLocalSurface = 254;
constexpr unsigned kChannels = 0xf;

/// The text between the first `begin` and the next `end`, or the rest.
Word between(Word text, Word begin, Word end) {
  const std::size_t at = text.find(begin);
  if (at == Word::npos) return {};
  text.remove_prefix(at + begin.size());
  return text.substr(0, text.find(end));
}

unsigned hexadecimal_behind(Word text, Word name) {
  const Word digits = between(text, name, "\n");
  unsigned number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

/// Message to the load/store cache (Xe-HPG): "ugm MsgDesc: ( load_cmask, a32, d32, xy,
/// L1STATE_L3MOCS dst_len = 4, src0_len = 2, src1_len = 0 bti )".
Instruction cache_message(Word unit, Word description) {
  const std::vector<Word> parts = words(between(description, "(", ")"));
  if (parts.size() < 4 || parts[0] == "fence") return {};
  const Word operation = parts[0];
  const Word elements = parts[3];
  Instruction made;
  made.kind = operation.starts_with("load")    ? InstructionKind::load
              : operation.starts_with("store") ? InstructionKind::store
                                               : InstructionKind::atomic;
  const unsigned count = elements.starts_with('V') ? leading_number(elements.substr(1)) : static_cast<unsigned>(elements.size());
  made.bytes = leading_number(parts[2].substr(1)) / 8 * count;
  made.returns = made.kind == InstructionKind::atomic && number_behind(description, "dst_len = ") > 0;
  if (unit == "slm") {
    made.space = Space::local;
  } else if (std::ranges::count(parts, "ss") > 0) {
    made.space = Space::scratch;
  } else if (has(description, "transpose")) {
    made.space = Space::scalar;
  }
  return made;
}

/// Message to the older data ports: "dp data 1 MsgDesc: (untyped surface read, Surface = 2, SIMD16,
/// Mask = 0xc) mlen 2 rlen 4".
Instruction port_message(Word description, unsigned lanes) {
  if (has(description, "fence")) return {};
  const bool is_far = has(description, "A64");
  const unsigned surface = std::max(number_behind(description, "Surface = "), number_behind(description, "bti "));
  const unsigned returned = number_behind(description, "rlen ");
  Instruction made;
  if (!is_far && surface == kLocalSurface) made.space = Space::local;
  if (has(description, "atomic")) {
    made.kind = InstructionKind::atomic;
    made.returns = returned > 0;
    // The text has no width: use the words sent or returned. A compare-and-swap sends two words.
    const unsigned words_sent = has(description, "cmpwr") ? 2 : 1;
    const unsigned registers = returned > 0 ? returned : number_behind(description, "ex_mlen ") / words_sent;
    made.bytes = is_far && registers * kRegisterBytes / lanes == 8 ? 8 : 4;
    return made;
  }
  // Data ports write "scatterd".
  made.kind = has(description, "write") ? InstructionKind::store : InstructionKind::load;
  if (has(description, "block")) {
    const unsigned bytes = 16 * number_behind(description, "owords = ");
    // Registers are spilled through the stateless surface by blocks of all lanes.
    made.space = is_far ? Space::scalar : Space::scratch;
    made.bytes = is_far ? bytes : bytes / lanes;
  } else if (has(description, "DWORD scatter")) {
    made.bytes = 4;
  } else if (has(description, "scattered")) {
    const unsigned control = is_far ? hexadecimal_behind(description, ", 0x") : trailing_number(between(description, "(", ")"));
    made.bytes = 1U << (control >> 2U & 3U);
  } else {
    made.bytes = 4 * static_cast<std::uint32_t>(std::popcount(kChannels & ~hexadecimal_behind(description, "Mask = 0x")));
  }
  return made;
}

/// `unit` receives the message.
Instruction message(Word unit, Word description, unsigned lanes) {
  if (unit == "ugm" || unit == "slm" || unit == "tgm") return cache_message(unit, description);
  if (unit == "data" || unit == "dp data 1") return port_message(description, lanes);
  Instruction made;
  const std::uint32_t returned = number_behind(description, "rlen ") * kRegisterBytes;
  if (unit == "sampler") {
    made = {.kind = InstructionKind::load, .space = Space::texture, .bytes = returned / lanes};
  } else if (unit == "const") {
    made = {.kind = InstructionKind::load, .space = Space::scalar, .bytes = returned};
  } else if (unit == "thread_spawner") {
    made.falls_through = false;
  }
  return made;
}

/// One instruction's text, up to its semicolon.
void add(Listing& listing, Word text) {
  bool conditional = false;
  if (text.front() == '(') {
    conditional = true;
    text = trimmed(text.substr(std::min(text.find(')') + 1, text.size())));
  }
  const Word flags = between(text, "{", "}");
  const Word operands = text.substr(0, text.find('{'));
  const Word mnemonic = text.substr(0, text.find_first_of(" (."));
  const unsigned lanes = std::max(number_behind(text, "("), 1U);
  const std::vector<Word> flag_words = words(flags);
  const bool is_later_part = std::ranges::any_of(
      flag_words, [](Word flag) { return flag.size() == 2 && flag[0] > '1' && flag[0] <= '8' && has("QHN", flag.substr(1)); });
  if (is_later_part) return;
  if (has(operands, "JIP:")) {
    Instruction branch{.kind = InstructionKind::branch};
    for (const Word part : words(operands)) {
      if (part.starts_with("LABEL")) branch.targets.emplace_back(part);
    }
    branch.falls_through = conditional || mnemonic != "jmpi";
    listing.code.push_back(std::move(branch));
  } else if (mnemonic.starts_with("send")) {
    const std::size_t at = operands.find(" MsgDesc:");
    const Word head = operands.substr(0, at);
    const Word unit = trimmed(head.substr(std::min(head.rfind('\n') + 1, head.size())));
    listing.code.push_back(message(unit, at == Word::npos ? Word{} : operands.substr(at), lanes));
  } else if (mnemonic == "wait" || mnemonic == "nop" || mnemonic == "sync") {
    listing.code.emplace_back();
  } else if (has(operands, " tm0")) {
    listing.code.push_back({.kind = InstructionKind::clock});
  } else {
    listing.code.push_back({.kind = has(flags, "WE_all") && lanes == 1 ? InstructionKind::scalar_alu : InstructionKind::alu});
  }
  listing.code.back().name = mnemonic;
}

}  // namespace

Listing parse_brw(std::string_view text) {
  Listing listing;
  std::size_t begin = Word::npos;  // of the current instruction
  std::size_t at = 0;
  for (const Word line : lines(text)) {
    const std::size_t start = at;
    at += line.size() + 1;
    const Word bare = trimmed(line);
    if (begin == Word::npos) {
      if (bare.empty() || line.front() == ' ') continue;  // lines of the head
      if (bare.starts_with("LABEL") && bare.ends_with(':')) {
        listing.labels.emplace(bare.substr(0, bare.size() - 1), listing.code.size());
        continue;
      }
      if (bare.ends_with(':')) continue;
      begin = start;
    }
    if (!bare.ends_with(';')) continue;
    add(listing, text.substr(begin, start + line.size() - begin));
    begin = Word::npos;
  }
  return listing;
}

}  // namespace percycle::isa
