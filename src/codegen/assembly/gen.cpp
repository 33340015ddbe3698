#include "codegen/assembly/gen.hpp"

#include <algorithm>

#include "codegen/assembly/lines.hpp"

namespace percycle::isa {
namespace {

using Word = std::string_view;

constexpr std::uint32_t kGrfBytes = 32;

/// "(16|M0)": the number of lanes and the first of them.
struct Lanes {
  unsigned count = 0;
  unsigned first = 0;
};

Lanes lanes_of(Word line) {
  const std::size_t bar = line.find("|M");
  if (bar == Word::npos) return {};
  const std::size_t open = line.rfind('(', bar);
  return {leading_number(line.substr(open + 1)), leading_number(line.substr(bar + 2))};
}

/// Bytes of one access: by the message's name for one lane, else by the registers received or sent
/// ("wr:2+4, rd:8").
std::uint32_t bytes_of(Word comment, Lanes lanes, InstructionKind kind) {
  if (kind == InstructionKind::atomic) return has(comment, "int64") || has(comment, "qword") ? 8 : 4;
  if (has(comment, "oword")) {
    const std::size_t at = comment.rfind(" x");
    return 16 * (at == Word::npos ? 1 : leading_number(comment.substr(at + 2)));
  }
  if (has(comment, "qword")) return 8;
  if (lanes.count <= 1) return 4;
  return number_behind(comment, kind == InstructionKind::load ? "rd:" : "+") * kGrfBytes / lanes.count;
}

/// The last operand in hexadecimal is the message's descriptor; its low byte is the index in the
/// binding table.
bool is_local(Word operands, Word comment) {
  const std::size_t at = operands.rfind("0x");
  if (at == Word::npos || has(comment, "a64")) return false;
  const Word digits = operands.substr(at + 2, operands.find_first_not_of("0123456789ABCDEFabcdef", at + 2) - at - 2);
  return digits.ends_with("FE");
}

Instruction message(Word operands, Word comment, Lanes lanes) {
  for (const Word other : {"fence", "barrier", "end of thread", "gateway"}) {
    if (has(comment, other)) return {};
  }
  Instruction made;
  if (has(comment, "atomic")) {
    made.kind = InstructionKind::atomic;
    made.returns = number_behind(comment, "rd:") > 0;
  } else if (has(comment, "write")) {
    made.kind = InstructionKind::store;
  } else {
    made.kind = InstructionKind::load;
  }
  made.bytes = bytes_of(comment, lanes, made.kind);
  if (has(comment, "scratch")) {
    made.space = Space::scratch;
  } else if (has(comment, "sample")) {
    made.space = Space::texture;
  } else if (is_local(operands, comment)) {
    made.space = Space::local;
  } else if (lanes.count <= 1 || has(comment, "block")) {
    made.space = Space::scalar;
  }
  return made;
}

bool is_label(Word word) {
  return word.size() > 1 && word.front() == 'L' && word.find_first_not_of("0123456789", 1) == Word::npos;
}

}  // namespace

Listing parse_gen(std::string_view text) {
  Listing listing;
  for (const Word whole : lines(text)) {
    const std::size_t slashes = whole.find("//");
    const Word comment = slashes == Word::npos ? Word{} : trimmed(whole.substr(slashes + 2));
    Word line = trimmed(whole.substr(0, slashes));
    if (line.empty()) continue;
    if (line.ends_with(':')) {
      listing.labels.emplace(line.substr(0, line.size() - 1), listing.code.size());
      continue;
    }
    bool once = false;  // executed once per subgroup
    bool conditional = false;
    if (line.front() == '(') {
      once = line.starts_with("(W");
      conditional = line.find('f') < line.find(')');
      line = trimmed(line.substr(line.find(')') + 1));
    }
    const std::vector<Word> parts = words(line);
    if (parts.empty()) continue;
    const Word mnemonic = parts.front().substr(0, parts.front().find('.'));
    const Lanes lanes = lanes_of(line);
    if (lanes.first > 0) continue;
    if (std::ranges::any_of(parts, is_label)) {
      Instruction branch{.kind = InstructionKind::branch};
      for (const Word part : parts) {
        if (is_label(part)) branch.targets.emplace_back(part);
      }
      branch.falls_through = conditional || mnemonic != "jmpi";
      listing.code.push_back(std::move(branch));
    } else if (mnemonic.starts_with("send")) {
      listing.code.push_back(message(line, comment, lanes));
    } else if (mnemonic == "wait" || mnemonic == "nop" || mnemonic == "sync" || mnemonic == "illegal") {
      listing.code.emplace_back();
    } else {
      listing.code.push_back({.kind = once && lanes.count <= 1 ? InstructionKind::scalar_alu : InstructionKind::alu});
    }
    listing.code.back().name = mnemonic;
  }
  return listing;
}

}  // namespace percycle::isa
