#include "codegen/assembly/sass.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "codegen/assembly/lines.hpp"

namespace percycle::isa {
namespace {

using Word = std::string_view;

template <std::size_t N>
bool is_one_of(Word word, const std::array<Word, N>& all) {
  return std::ranges::find(all, word) != all.end();
}

/// The parts between the points of "LDG.E.64.CONSTANT".
std::vector<Word> modifiers(Word mnemonic) {
  std::vector<Word> parts;
  for (std::size_t at = mnemonic.find('.'); at != Word::npos;) {
    const std::size_t end = mnemonic.find('.', at + 1);
    parts.push_back(mnemonic.substr(at + 1, end == Word::npos ? end : end - at - 1));
    at = end;
  }
  return parts;
}

std::uint32_t width_of(Word mnemonic) {
  for (const Word part : modifiers(mnemonic)) {
    if (part == "U8" || part == "S8") return 1;
    if (part == "U16" || part == "S16") return 2;
    if (part == "64") return 8;
    if (part == "128") return 16;
    if (part == "256") return 32;
  }
  return 4;
}

unsigned hexadecimal(Word digits) {
  unsigned number = 0;
  if (digits.starts_with("0x")) std::from_chars(digits.data() + 2, digits.data() + digits.size(), number, 16);
  return number;
}

/// A number after a texture's shape ("1D") is the mask of the channels that a load delivers;
/// without it all four are. Numbers before it name the texture.
std::uint32_t texel_bytes(const std::vector<Word>& operands) {
  const auto shape = std::ranges::find_if(
      operands, [](Word word) { return word.ends_with("1D") || word.ends_with("2D") || word.ends_with("3D"); });
  if (shape == operands.end() || shape + 1 == operands.end()) return 16;
  const unsigned mask = hexadecimal(*(shape + 1));
  return mask > 0 && mask < 16 ? 4 * static_cast<std::uint32_t>(std::popcount(mask)) : 16;
}

/// Whether the first operand that is not a predicate is a register that keeps its value.
bool keeps_result(const std::vector<Word>& operands) {
  const auto is_predicate = [](Word word) { return word == "PT" || (word.size() == 2 && word[0] == 'P'); };
  const auto found = std::ranges::find_if_not(operands, is_predicate);
  return found != operands.end() && *found != "RZ";
}

bool is_clock(const std::vector<Word>& operands) {
  return std::ranges::any_of(operands, [](Word word) { return has(word, "SR_CLOCK") || has(word, "SR_GLOBALTIMER"); });
}

std::optional<Instruction> memory_access(Word base, Word mnemonic, const std::vector<Word>& operands) {
  const auto access = [&](InstructionKind kind, Space space) {
    return Instruction{.kind = kind, .space = space, .bytes = width_of(mnemonic)};
  };
  if (is_one_of<4>(base, {"LDG", "LD", "LDGSTS", "LDGMC"})) return access(InstructionKind::load, Space::vector);
  if (is_one_of<3>(base, {"LDC", "ULDC", "LDCU"})) return access(InstructionKind::load, Space::scalar);
  if (is_one_of<3>(base, {"LDS", "LDSM", "ULDS"})) return access(InstructionKind::load, Space::local);
  if (base == "LDL") return access(InstructionKind::load, Space::scratch);
  if (base == "STG" || base == "ST") return access(InstructionKind::store, Space::vector);
  if (base == "STS" || base == "STSM") return access(InstructionKind::store, Space::local);
  if (base == "STL") return access(InstructionKind::store, Space::scratch);
  if (is_one_of<6>(base, {"TLD", "TEX", "TLD4", "TEXS", "TLDS", "TXD"})) {
    return Instruction{.kind = InstructionKind::load, .space = Space::texture, .bytes = texel_bytes(operands)};
  }
  if (base == "SULD") return access(InstructionKind::load, Space::texture);
  if (base == "SUST") return access(InstructionKind::store, Space::texture);
  Instruction atomic = access(InstructionKind::atomic, Space::vector);
  if (base == "SUATOM" || base == "SURED") {
    atomic.space = Space::texture;
  } else if (base == "ATOMS" || base == "REDS") {
    atomic.space = Space::local;
  } else if (!is_one_of<4>(base, {"ATOM", "ATOMG", "RED", "REDG"})) {
    return std::nullopt;
  }
  atomic.returns = base.find("ATOM") != Word::npos && keeps_result(operands);
  return atomic;
}

bool does_nothing(Word base) {
  static constexpr std::array<Word, 27> kNothing{"NOP",    "BAR",   "DEPBAR", "LDGDEPBAR", "TEXDEPBAR", "WARPSYNC", "MEMBAR",
                                                 "ERRBAR", "FENCE", "CCTL",   "CCTLL",     "CCTLT",     "BSSY",     "BSYNC",
                                                 "BMOV",   "BREAK", "YIELD",  "NANOSLEEP", "SSY",       "PBK",      "PCNT",
                                                 "PMTRIG", "BPT",   "EXIT",   "RET",       "KILL",      "SYNCS"};
  return is_one_of(base, kNothing);
}

bool is_jump(Word base) { return is_one_of<9>(base, {"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "SYNC", "BRK", "CONT"}); }

Instruction instruction(Word base, Word mnemonic, const std::vector<Word>& operands) {
  if (const auto access = memory_access(base, mnemonic, operands)) return *access;
  if (is_jump(base)) return {.kind = InstructionKind::branch};
  if (base == "CALL" || base == "JCAL") return {.kind = InstructionKind::call};
  if (is_one_of<3>(base, {"CS2R", "S2R", "S2UR"}) && is_clock(operands)) return {.kind = InstructionKind::clock};
  if (does_nothing(base)) return {};
  return {.kind = base.starts_with('U') || base == "S2UR" ? InstructionKind::scalar_alu : InstructionKind::alu,
          .votes = base.starts_with("VOTE")};
}

/// "`(.L_x_3)": ".L_x_3".
Word without_quotes(Word target) {
  if (!target.starts_with("`(")) return target;
  target.remove_prefix(2);
  return target.substr(0, target.find(')'));
}

/// The possible targets of a branch: its last operand, or those in `(*"BRANCH_TARGETS
/// .L_x_1,.L_x_2"*)`.
std::vector<std::string> targets_of(Word line, const std::vector<Word>& operands) {
  constexpr Word kNamed = "BRANCH_TARGETS";
  if (const std::size_t at = line.find(kNamed); at != Word::npos) {
    Word list = line.substr(at + kNamed.size());
    std::vector<std::string> targets;
    for (const Word each : words(list.substr(0, list.find('"')))) targets.emplace_back(each);
    return targets;
  }
  if (operands.empty()) return {};
  return {std::string(without_quotes(operands.back()))};
}

/// "0x1b0" for "/*01b0*/".
std::string address_label(Word digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return "0x" + std::string(first == Word::npos ? "0" : digits.substr(first));
}

/// Removes "/*01b0*/" from the start of the line and other comments from its end.
std::optional<std::string> take_address(Word& line) {
  std::optional<std::string> address;
  if (line.starts_with("/*")) {
    const std::size_t end = line.find("*/");
    const Word digits = line.substr(2, end == Word::npos ? end : end - 2);
    if (!digits.empty() && digits.find_first_not_of("0123456789abcdef") == Word::npos) address = address_label(digits);
    line = end == Word::npos ? Word{} : trimmed(line.substr(end + 2));
  }
  line = trimmed(line.substr(0, line.find("/*")));
  return address;
}

/// The lines of one function; all lines if none names it.
std::vector<Word> function_lines(std::string_view text, Word kernel) {
  const std::vector<Word> all = lines(text);
  const auto name_of = [](Word line) -> std::optional<Word> {
    line = trimmed(line);
    if (line.starts_with("Function : ")) return trimmed(line.substr(11));
    if (line.starts_with(".text.") && line.ends_with(':')) return line.substr(6, line.size() - 7);
    return std::nullopt;
  };
  const auto first = std::ranges::find_if(all, [&](Word line) { return name_of(line) == kernel; });
  if (first == all.end()) return all;
  const auto end = std::find_if(first + 1, all.end(),
                                [&](Word line) { return name_of(line).has_value() || trimmed(line).starts_with(".section"); });
  return {first + 1, end};
}

/// Before Volta "SSY target" announces the target of "SYNC"; likewise "PBK" for "BRK" and "PCNT"
/// for "CONT".
class Announced {
 public:
  void note(Word base, const std::vector<Word>& operands) {
    if (operands.empty()) return;
    if (base == "SSY") targets_["SYNC"] = without_quotes(operands.back());
    if (base == "PBK") targets_["BRK"] = without_quotes(operands.back());
    if (base == "PCNT") targets_["CONT"] = without_quotes(operands.back());
  }
  std::optional<std::string> find(Word base) const {
    const auto found = targets_.find(base);
    return found == targets_.end() ? std::nullopt : std::optional(std::string(found->second));
  }

 private:
  std::map<Word, Word> targets_;
};

/// The length of code from the first to the last instruction of the most frequent name.
std::optional<std::uint64_t> length_of(const std::vector<Instruction>& code, const std::vector<std::uint64_t>& addresses) {
  if (addresses.size() < 2 || addresses.size() != code.size() || addresses[1] <= addresses[0]) return std::nullopt;
  std::map<std::string_view, std::size_t> numbers;
  for (const Instruction& each : code) ++numbers[each.name];
  const std::string_view name = std::ranges::max_element(numbers, {}, [](const auto& each) { return each.second; })->first;
  const auto is_it = [&](const Instruction& each) { return each.name == name; };
  const auto first = std::ranges::find_if(code, is_it) - code.begin();
  const auto last = std::find_if(code.rbegin(), code.rend(), is_it).base() - code.begin() - 1;
  return addresses[static_cast<std::size_t>(last)] - addresses[static_cast<std::size_t>(first)] + (addresses[1] - addresses[0]);
}

}  // namespace

Listing parse_sass(std::string_view text, std::string_view kernel) {
  Listing listing;
  std::vector<std::uint64_t> addresses;
  Announced announced;
  for (const Word whole : function_lines(text, kernel)) {
    Word line = trimmed(whole);
    if (line.ends_with(':') && !has(line, " ")) {
      listing.labels.emplace(line.substr(0, line.size() - 1), listing.code.size());
      continue;
    }
    const auto address = take_address(line);
    if (line.starts_with('{')) line = trimmed(line.substr(1));  // two that issue together
    if (!has(line, ";")) continue;
    line = trimmed(line.substr(0, line.find(';')));
    if (address) listing.labels.emplace(*address, listing.code.size());
    const bool predicated = line.starts_with('@');
    if (predicated) line = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
    std::vector<Word> operands = words(line);
    if (operands.empty()) continue;
    const Word mnemonic = operands.front();
    operands.erase(operands.begin());
    const Word base = mnemonic.substr(0, mnemonic.find('.'));
    Instruction made = instruction(base, mnemonic, operands);
    made.name = mnemonic;
    announced.note(base, operands);
    if (made.kind == InstructionKind::branch) {
      made.targets = targets_of(line, operands);
      if (const auto target = announced.find(base)) made.targets = {*target};
      // "BRA.U UP0, target", "BRA.DIV UR4, target".
      const bool conditional = (base == "BRA" || base == "JMP") && operands.size() > 1;
      made.falls_through = predicated || conditional;
    } else if (mnemonic.starts_with("CALL.REL.NOINC")) {
      // No return address is kept: NVIDIA's Vulkan compiler also leaves loops by a call of this
      // kind.
      made.targets = targets_of(line, operands);
    } else if (is_one_of<3>(base, {"EXIT", "RET", "KILL"})) {
      made.falls_through = predicated;
    }
    if (address) addresses.push_back(hexadecimal(*address));
    listing.code.push_back(std::move(made));
  }
  listing.code_bytes = length_of(listing.code, addresses);
  return listing;
}

}  // namespace percycle::isa
