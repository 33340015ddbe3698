#include "codegen/assembly/aco_ir.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "codegen/assembly/lines.hpp"

namespace percycle::isa {
namespace {

using Word = std::string_view;

bool is_block(Word word) {
  return word.starts_with("BB") && word.size() > 2 &&
         std::ranges::all_of(word.substr(2), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The line without its results ("v1: %15 = ") and comment.
Word operation(Word line) {
  const std::size_t equals = line.find(" = ");
  return trimmed(equals == Word::npos ? line : line.substr(equals + 3));
}

/// " dmask:0x3" for the image load "v2: %15 = image_load ...", whose line does not say it.
std::string channels_of_image(Word line) {
  const unsigned registers = number_behind(line, "v");
  return registers >= 1 && registers <= 4 ? fmt::format(" dmask:{:#x}", (1U << registers) - 1) : "";
}

void jump(std::string& out, Word mnemonic, Word target, Word next) {
  if (target != next) out.append("\t").append(mnemonic).append(" ").append(target).append("\n");
}

void write_branch(std::string& out, Word line, Word next) {
  std::vector<Word> targets = words(line);
  std::erase_if(targets, [](Word word) { return !is_block(word); });
  // "p_cbranch_z scc, THERE, ELSE"
  if (targets.size() > 1) jump(out, "s_cbranch_scc0", targets[0], "");
  if (!targets.empty()) jump(out, "s_branch", targets.back(), next);
}

/// The block that begins after line `i`; empty if none does.
Word next_block(const std::vector<Word>& all, std::size_t i) {
  const auto found = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(), is_block);
  return found == all.end() ? Word{} : *found;
}

}  // namespace

std::string assembly_of_aco_ir(std::string_view text) {
  const std::vector<Word> all = lines(text);
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_block(all[i])) {
      out.append(all[i]).append(":\n");
      continue;
    }
    // Titles and comments.
    if (all[i].empty() || std::isspace(static_cast<unsigned char>(all[i].front())) == 0) continue;
    const Word line = operation(all[i]);
    if (line.starts_with("p_cbranch") || line.starts_with("p_branch")) {
      write_branch(out, line, next_block(all, i));
    } else if (line.starts_with("p_spill")) {
      out += "\tv_writelane_b32\n";
    } else if (line.starts_with("p_reload")) {
      out += "\tv_readlane_b32\n";
    } else if (!line.starts_with("p_")) {
      out.append("\t").append(line).append(line.starts_with("image_") ? channels_of_image(all[i]) : "").append("\n");
    }
  }
  return out;
}

}  // namespace percycle::isa
