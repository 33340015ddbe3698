#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace percycle {

constexpr std::uint16_t kElfCuda = 190;   // EM_CUDA
constexpr std::uint16_t kElfIntel = 205;  // EM_INTELGT
constexpr std::uint16_t kElfAmd = 224;    // EM_AMDGPU

/// What an ELF file is, and what for.
struct ElfKind {
  std::uint16_t type = 0;
  std::uint16_t machine = 0;
};

/// None where the bytes are no ELF file.
std::optional<ElfKind> elf_kind(const std::string& bytes);

}  // namespace percycle
