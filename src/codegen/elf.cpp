#include "codegen/elf.hpp"

namespace percycle {

std::optional<ElfKind> elf_kind(const std::string& bytes) {
  if (bytes.size() < 20 || !bytes.starts_with("\x7F"
                                              "ELF"))
    return std::nullopt;
  const auto half = [&](std::size_t at) {
    return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[at]) | static_cast<unsigned char>(bytes[at + 1]) << 8);
  };
  return ElfKind{half(16), half(18)};
}

}  // namespace percycle
