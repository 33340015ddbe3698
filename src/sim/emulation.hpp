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
using Emulation = std::function<void(const Execution&, MemoryModel&)>;

/// Emulations by the kernel's name.
using Emulations = std::map<std::string, Emulation>;

/// The emulations of all kernels that simulated devices run. Each registers itself, in
/// emulations/KERNEL.cpp.
const Emulations& known_emulations();

/// Registers the emulation of a kernel pair for the life of the program. Use at namespace scope:
/// `const RegisterEmulation registered_launch("launch", launch);`
class RegisterEmulation {
 public:
  RegisterEmulation(const std::string& kernel, Emulation emulation);
};

}  // namespace percycle::sim
