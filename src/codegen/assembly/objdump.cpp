#include "codegen/assembly/objdump.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>

#include "codegen/assembly/lines.hpp"

namespace percycle::isa {
namespace {

using Word = std::string_view;

std::optional<std::uint64_t> address_in(Word digits) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return read.ec == std::errc() && read.ptr == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

/// "0000000000000100 <other>:".
struct Symbol {
  std::uint64_t address = 0;
  Word name;
};

std::optional<Symbol> function_of(Word line) {
  const std::size_t open = line.find(" <");
  if (open == Word::npos || !line.ends_with(">:")) return std::nullopt;
  const auto address = address_in(line.substr(0, open));
  if (!address) return std::nullopt;
  return Symbol{*address, line.substr(open + 2, line.size() - open - 4)};
}

std::string label(std::uint64_t address) { return fmt::format(".L{:x}", address); }

}  // namespace

std::string assembly_of_objdump(std::string_view text) {
  std::map<Word, std::uint64_t> functions;
  for (const Word line : lines(text)) {
    if (const auto function = function_of(trimmed(line))) functions[function->name] = function->address;
  }
  std::string assembly;
  for (const Word whole : lines(text)) {
    const Word line = trimmed(whole);
    if (const auto function = function_of(line)) {
      assembly += fmt::format(".Lfunc_end:\n{}:\n", function->name);
      continue;
    }
    const std::size_t slashes = line.find("//");
    if (slashes == Word::npos) continue;
    const Word comment = trimmed(line.substr(slashes + 2));
    if (const auto address = address_in(comment.substr(0, comment.find(':')))) assembly += label(*address) + ":\n";
    Word code = trimmed(line.substr(0, slashes));
    const std::size_t open = comment.rfind('<');
    if (open == Word::npos || !comment.ends_with('>')) {
      assembly += fmt::format("\t{}\n", code);
      continue;
    }
    const Word target = comment.substr(open + 1, comment.size() - open - 2);
    const std::size_t plus = target.rfind("+0x");
    const auto function = functions.find(target.substr(0, plus));
    const auto offset = plus == Word::npos ? std::optional<std::uint64_t>(0) : address_in(target.substr(plus + 3));
    const std::vector<Word> parts = words(code);
    if (function != functions.end() && offset && !parts.empty())
      assembly += fmt::format("\t{} {}\n", parts.front(), label(function->second + *offset));
  }
  return assembly;
}

}  // namespace percycle::isa
