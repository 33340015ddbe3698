#include "codegen/binaries/measured_accesses.hpp"

#include <algorithm>
#include <string>

#include "codegen/assembly/names.hpp"

namespace percycle {
namespace {

bool is_scalar(const CodeAccess& access) { return access.space == isa::name_of(isa::Space::scalar); }

/// Whether accesses of that space can belong to the path. A path without its own unit is the
/// vector's.
bool is_of(const std::string& space, MemoryPath path, std::optional<bool> has_scalar_path) {
  const auto is = [&](isa::Space wanted) { return space == isa::name_of(wanted); };
  switch (path) {
    case MemoryPath::global:
      return is(isa::Space::vector);
    case MemoryPath::scalar:
      if (has_scalar_path) return is(*has_scalar_path ? isa::Space::scalar : isa::Space::vector);
      return is(isa::Space::scalar) || is(isa::Space::vector);
    case MemoryPath::constant:
      return is(isa::Space::scalar) || is(isa::Space::vector);
    case MemoryPath::texture:
      return is(isa::Space::texture);
    case MemoryPath::local:
      return is(isa::Space::local);
  }
  return false;
}

}  // namespace

isa::InstructionKind kind_of(AccessKind kind) {
  return kind == AccessKind::read    ? isa::InstructionKind::load
         : kind == AccessKind::write ? isa::InstructionKind::store
                                     : isa::InstructionKind::atomic;
}

std::vector<CodeAccess> code_accesses(const isa::Counts& counts) {
  std::vector<CodeAccess> accesses;
  for (const auto& [access, count] : counts.accesses)
    accesses.push_back({name_of(access.kind), name_of(access.space), access.bytes, access.returns, count});
  return accesses;
}

std::vector<std::size_t> measured_accesses(std::span<const CodeAccess> accesses, const TurnAccess& wanted,
                                           std::optional<bool> has_scalar_path) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const CodeAccess& access = accesses[i];
    if (access.count > 0 && access.kind == name_of(kind_of(wanted.kind)) && is_of(access.space, wanted.path, has_scalar_path))
      found.push_back(i);
  }
  const auto any = [&](const auto& test) { return std::ranges::any_of(found, [&](std::size_t i) { return test(accesses[i]); }); };
  const auto leave_out = [&](const auto& test) { std::erase_if(found, [&](std::size_t i) { return test(accesses[i]); }); };
  const auto has_width = [&](const CodeAccess& access) { return access.bytes == wanted.width; };
  // Parameters read again in each turn also use the scalar path. If some access has the right
  // width, others are not measured.
  if (any(has_width)) leave_out([&](const CodeAccess& access) { return is_scalar(access) && !has_width(access); });
  // Constants use either path; if both occur, the scalar one.
  if (wanted.path == MemoryPath::constant && any(is_scalar))
    leave_out([](const CodeAccess& access) { return !is_scalar(access); });
  return found;
}

}  // namespace percycle
