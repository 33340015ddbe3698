#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/chain.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// One way to reach memory: the kernel's definitions and the forms of its links.
struct ChasePath {
  std::string name;
  std::string definition;
  std::vector<std::string> forms;      ///< the first is the default
  std::optional<BindingKind> binding;  ///< binding of the chain; empty: constant memory
  MemoryPath memory = MemoryPath::global;
};

/// All paths, in the order of the tables.
const std::vector<ChasePath>& chase_paths();

/// The path with this name, which must exist.
const ChasePath& chase_path(const std::string& name);

/// The largest chain of this path on this device, in bytes; 0 if the device lacks the path.
std::uint64_t chase_capacity(const DeviceInfo& device, const std::string& path);

/// Uniform buffers for a chain of that many bytes of constants: 1 if one buffer holds it, else the
/// same number for all chains on this device.
std::uint32_t constant_buffers_for(const DeviceInfo& device, std::uint64_t bytes);

/// The largest chain of constants in several buffers; with one buffer, `constant_bytes`.
std::uint64_t most_constant_bytes(const DeviceInfo& device);

/// Bytes of which a chain of so many constants with this stride is a multiple.
std::uint64_t constant_step(const DeviceInfo& device, std::uint64_t bytes, std::uint64_t stride_bytes);

/// A chain in random order through buffers of equal size. It leads from each buffer to the next, so
/// that a kernel knows the buffer of each load.
Chain chain_through_buffers(std::uint64_t nodes, std::uint32_t buffers, std::uint64_t seed);

/// The size of the work-group in which `lanes` walk. On paths with per-lane addresses it is at
/// least a subgroup, whose other lanes return at once. With a single lane compilers for AMD and
/// Intel would use the scalar path (tests/isa/codegen.md).
std::uint32_t chase_group_size(const DeviceInfo& device, const std::string& path, std::uint32_t lanes,
                               std::optional<std::uint32_t> subgroup_size);

/// A pointer chase: a chain, its layout and the way it is walked.
struct Chase {
  std::string path = "global";
  std::string form;                              ///< one of the path's
  bool whole_subgroup = false;                   ///< a subgroup walks in lockstep, else one lane
  std::optional<std::uint32_t> subgroup_size{};  ///< required size, if the API can choose it
  Chain chain;
  std::uint64_t stride_bytes = 128;
  std::uint64_t columns = 0;  ///< see ChainLayout
  std::uint64_t row_stride_bytes = 0;
  bool optimize = true;    ///< whether the compiler optimises the kernel
  bool elsewhere = false;  ///< at another place of memory: behind a buffer of the same size
  /// Local memory that the kernel declares and does not walk; 0: none.
  std::uint64_t declared_local_bytes = 0;
  /// Path `constant`, form index: uniform buffers of the chain (chain_through_buffers).
  std::uint32_t constant_buffers = 1;
};

/// The memory image of the chase on this device.
ChainImage chase_image(const DeviceInfo& device, const Chase& chase);

/// The bytes of a constant array (KernelDesc::constants) with the whole chain and incompressible
/// filler between its nodes. In several buffers a link counts from the start of the next buffer.
std::vector<std::byte> constant_chain(const ChainImage& image, std::uint64_t seed, std::uint32_t buffers = 1);

/// Why this device cannot run this chase through the path `name`; decided before anything runs.
/// Pure.
std::optional<std::string> chase_unsupported(const DeviceInfo& device, const std::string& name, const std::string& form,
                                             bool whole_subgroup, std::optional<std::uint32_t> subgroup_size,
                                             std::uint64_t stride_bytes, std::uint64_t span_bytes);

/// The trial of the chase (kernel pair `latency`): 31 loads per loop turn (32 through several
/// buffers) after a warm-up lap, a check of every lane's end, and a control with the same loop and
/// address arithmetic. Throws DeviceError.
Trial chase_trial(Device& device, const Chase& chase, std::uint64_t seed);

}  // namespace percycle
