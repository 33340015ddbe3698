#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace percycle {

/// What an ELF file is for (e_machine; System V ABI, chapter 4, "ELF Header"); none where the bytes are no ELF file.
std::optional<std::uint16_t> elf_machine(std::string_view bytes);

/// Names and contents of the sections of instructions (SHF_EXECINSTR) of a little-endian 64-bit ELF file, one after another: files that differ in their
/// data alone give the same. Empty where there is no such section, or where the file is cut off.
std::string elf_instructions(std::string_view bytes);

}  // namespace percycle
