#include "codegen/binaries/elf.hpp"

#include "codegen/binaries/little_endian.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kInstructions = 4;  // SHF_EXECINSTR

/// A section's header (Elf64_Shdr).
struct Section {
  std::uint64_t name = 0;  ///< offset in the section of names
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

std::optional<Section> section_at(std::string_view bytes, std::uint64_t at) {
  const auto name = number_at(bytes, at, 4);
  const auto flags = number_at(bytes, at + 8, 8);
  const auto offset = number_at(bytes, at + 24, 8);
  const auto size = number_at(bytes, at + 32, 8);
  if (!name || !flags || !offset || !size) return std::nullopt;
  return Section{*name, *flags, *offset, *size};
}

std::optional<std::string_view> contents(std::string_view bytes, const Section& section) {
  if (section.offset > bytes.size() || section.size > bytes.size() - section.offset) return std::nullopt;
  return bytes.substr(section.offset, section.size);
}

}  // namespace

std::optional<ElfKind> elf_kind(std::string_view bytes) {
  const auto type = number_at(bytes, 16, 2);
  const auto machine = number_at(bytes, 18, 2);
  if (!machine || !bytes.starts_with("\x7F"
                                     "ELF"))
    return std::nullopt;
  return ElfKind{static_cast<std::uint16_t>(*type), static_cast<std::uint16_t>(*machine)};
}

std::string elf_instructions(std::string_view bytes) {
  const auto table = number_at(bytes, 0x28, 8);
  const auto entry = number_at(bytes, 0x3A, 2);
  const auto count = number_at(bytes, 0x3C, 2);
  const auto names_index = number_at(bytes, 0x3E, 2);
  if (!elf_kind(bytes) || !table || *table > bytes.size() || !entry || !count || !names_index) return {};
  const auto names = section_at(bytes, *table + *entry * *names_index);
  if (!names) return {};
  const auto texts = contents(bytes, *names);
  if (!texts) return {};
  std::string found;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto section = section_at(bytes, *table + *entry * i);
    if (!section) return {};
    if ((section->flags & kInstructions) == 0) continue;
    const auto code = contents(bytes, *section);
    if (!code || section->name > texts->size()) return {};
    const std::string_view name = texts->substr(section->name);
    found.append(name.substr(0, name.find('\0'))).append(1, '\0').append(*code);
  }
  return found;
}

}  // namespace percycle
