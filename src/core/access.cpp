#include "core/access.hpp"

namespace percycle {

const char* name_of(MemoryPath path) {
  switch (path) {
    case MemoryPath::global:
      return "global";
    case MemoryPath::texture:
      return "texture";
    case MemoryPath::constant:
      return "constant";
    case MemoryPath::local:
      return "local";
    case MemoryPath::scalar:
      return "scalar";
  }
  return "";
}

const char* name_of(AccessKind kind) {
  return kind == AccessKind::read ? "load" : kind == AccessKind::write ? "store" : "atomic";
}

}  // namespace percycle
