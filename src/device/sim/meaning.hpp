#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "device/kernel.hpp"
#include "device/sim/bound_memory.hpp"
#include "device/sim/memory_model.hpp"

namespace percycle::sim {

/// The host's view of one dispatch.
struct Execution {
  const KernelDesc& kernel;
  std::vector<BoundMemory*> bindings;         ///< the memory behind each binding
  BoundMemory& constants;                     ///< KernelDesc::constants
  std::span<const std::uint32_t> parameters;  ///< the parameter block without the addresses
  std::uint32_t groups = 1;
  std::vector<std::uint64_t> addresses;  ///< of byte 0 of each binding, as the kernel would see it

  bool is_defined(const std::string& macro) const { return kernel.definitions.contains(macro); }
  bool is(const std::string& macro, const std::string& value) const { return definition(macro) == value; }
  std::uint32_t number(const std::string& macro) const { return static_cast<std::uint32_t>(std::stoul(definition(macro))); }
  /// Throws std::invalid_argument when the kernel has no such definition.
  const std::string& definition(const std::string& macro) const;
};

/// What a kernel does, as a host function: it changes the bound buffers as the kernel would and issues the timed accesses.
using Meaning = std::function<void(const Execution&, MemoryModel&)>;

/// Meanings by the kernel's name.
using Meanings = std::map<std::string, Meaning>;

/// Of every kernel that simulated devices run: one file of meanings/ each.
const Meanings& known_meanings();

}  // namespace percycle::sim
