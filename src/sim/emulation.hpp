#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "device/kernel.hpp"
#include "sim/bound_memory.hpp"
#include "sim/memory_model.hpp"

namespace percycle::sim {

/// The host's view of one dispatch.
struct Execution {
  const KernelDesc& kernel;
  std::vector<BoundMemory*> bindings;  ///< the memory behind each binding
  BoundMemory& constants;              ///< KernelDesc::constants
  const KernelValues& parameters;
  std::uint32_t groups = 1;
  std::vector<std::uint64_t> addresses;  ///< byte 0 of each binding, as seen by the kernel

  bool is_defined(const std::string& macro) const { return kernel.definitions.contains(macro); }
  bool is(const std::string& macro, const std::string& value) const { return definition(macro) == value; }
  std::uint32_t number(const std::string& macro) const { return static_cast<std::uint32_t>(std::stoul(definition(macro))); }
  std::uint32_t parameter(const std::string& name) const { return array(name).front(); }
  /// Both throw std::invalid_argument that names the missing parameter.
  const std::vector<std::uint32_t>& array(const std::string& parameter) const;
  const std::string& definition(const std::string& macro) const;
};

/// A kernel as a host function: changes the bound buffers as the kernel would and issues the timed
/// accesses.
using Meaning = std::function<void(const Execution&, MemoryModel&)>;

/// Meanings by the kernel's name.
using Meanings = std::map<std::string, Meaning>;

/// The meanings of all kernels that simulated devices run, one file in emulations/ each.
const Meanings& known_meanings();

}  // namespace percycle::sim
