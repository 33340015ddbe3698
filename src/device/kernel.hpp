#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace percycle {

/// How binding i of a kernel receives its buffer. Vulkan: set 0, binding i. OpenCL: argument i.
enum class BindingKind {
  storage,  ///< storage buffer / __global pointer
  address,  ///< the buffer's address: in Vulkan 8 bytes at the head of the parameter block (in binding order), in OpenCL a __global pointer
  texel,  ///< an image: uniform texel buffer / image1d_buffer_t
};

/// The kind of memory access that a kernel's meaning issues.
enum class AccessKind { read, write, atomic };

/// The memory path an access takes.
enum class MemoryPath { global, texture, constant, local, scalar };

/// What the accesses of a kernel's meaning are told to. The simulated device accounts their time; a test counts them.
class MemoryModel {
 public:
  virtual ~MemoryModel() = default;

  /// One access of `bytes` bytes at byte `offset` of binding `binding` (for local and constant memory: of that memory) by `lane` of `unit`.
  virtual void access(std::uint32_t unit, std::uint32_t lane, MemoryPath path, std::uint32_t binding, std::uint64_t offset,
                      std::uint32_t bytes, AccessKind kind) = 0;
};

/// The host's view of one dispatch, for a kernel's meaning.
struct Execution {
  std::vector<std::span<std::byte>> bindings;  ///< the bytes behind each binding
  std::span<const std::byte> constants;        ///< KernelDesc::constants
  std::span<const std::uint32_t> parameters;   ///< the parameter block without the addresses
  std::uint32_t groups = 1;
  std::uint32_t local_size = 1;
  std::uint64_t address_base = 0;  ///< what stands for the address of byte 0 of every address binding
};

/// What a kernel does, as a host function: it changes the bound buffers as the kernel would and issues the timed accesses.
using Meaning = std::function<void(const Execution&, MemoryModel&)>;

/// A kernel: the pair cl_kernels/NAME.cl and shaders/NAME.comp with one set of definitions.
struct KernelDesc {
  std::string name;
  std::map<std::string, std::string>
      definitions;               ///< macros, the same on both sides. The device adds those in docs of device.hpp
  std::uint32_t local_size = 1;  ///< work-group size along x; the device defines LOCAL_SIZE
  std::vector<BindingKind> bindings;
  std::uint32_t parameter_words = 0;  ///< 4-byte scalars of the parameter block, addresses not counted
  /// Bytes (a multiple of 16) that OpenCL emits as the initialised program-scope array `__constant uint4 constants[]` and Vulkan binds
  /// as the uniform buffer `uvec4 constants[]` at binding CONSTANTS_BINDING. Empty: none.
  std::vector<std::byte> constants;
  std::optional<std::uint32_t> subgroup_size;  ///< required size; needs DeviceInfo::subgroup_size_control
  Meaning meaning;                             ///< OpenCL and Vulkan ignore it
};

/// What the driver says of a compiled kernel, where it says anything.
struct CodeInfo {
  std::optional<std::uint32_t> subgroup_size;       ///< that the kernel will run with
  std::map<std::string, std::uint64_t> statistics;  ///< e.g. registers, spills, under the driver's own names
};

}  // namespace percycle
