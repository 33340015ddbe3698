#include "codegen/assembly/names.hpp"

namespace percycle::isa {

const char* name_of(InstructionKind kind) {
  return kind == InstructionKind::load     ? "load"
         : kind == InstructionKind::store  ? "store"
         : kind == InstructionKind::atomic ? "atomic"
                                           : "";
}

const char* name_of(Space space) {
  switch (space) {
    case Space::vector:
      return "vector";
    case Space::scalar:
      return "scalar";
    case Space::texture:
      return "texture";
    case Space::local:
      return "local";
    case Space::scratch:
      return "scratch";
  }
  return "";
}

bool multiplies_matrices(std::string_view instruction) {
  return instruction.substr(0, instruction.find('.')).ends_with("MMA") || instruction.starts_with("v_wmma") ||
         instruction.starts_with("v_mfma") || instruction.starts_with("dpas");
}

}  // namespace percycle::isa
