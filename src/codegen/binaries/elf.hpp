#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace percycle {

constexpr std::uint16_t kElfCuda = 190;   // EM_CUDA
constexpr std::uint16_t kElfIntel = 205;  // EM_INTELGT
constexpr std::uint16_t kElfAmd = 224;    // EM_AMDGPU

/// Type and machine of an ELF file (e_type and e_machine; System V ABI, chapter 4, "ELF Header").
struct ElfKind {
  std::uint16_t type = 0;
  std::uint16_t machine = 0;
};

/// Empty if the bytes are no ELF file.
std::optional<ElfKind> elf_kind(std::string_view bytes);

/// Names and contents of the instruction sections (SHF_EXECINSTR) of a little-endian 64-bit ELF
/// file, concatenated: equal for files that differ only in their data. Empty if the section is
/// missing or the file is truncated.
std::string elf_instructions(std::string_view bytes);

}  // namespace percycle
