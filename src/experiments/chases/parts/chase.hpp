#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/chain.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// One way to reach memory: what the kernels of a chase are told, and how its links are scaled.
struct ChasePath {
  std::string name;
  std::string definition;
  std::vector<std::string> forms;      ///< the first is the default
  std::optional<BindingKind> binding;  ///< of the chain; none: constant memory
  MemoryPath memory = MemoryPath::global;
};

/// All of them, in the order of the tables.
const std::vector<ChasePath>& chase_paths();

/// The path of that name, which must be one.
const ChasePath& chase_path(const std::string& name);

/// The largest chain this path can hold on this device, in bytes; 0 where the path does not exist.
std::uint64_t chase_capacity(const DeviceInfo& device, const std::string& path);

/// Invocations of the work-group in which `lanes` walk. Paths that read at each lane's own address have a subgroup at least, of which the others
/// return at once: in a work-group of one, compilers of AMD's and Intel's GPUs know that there is one address, and read through the scalar path
/// (results/codegen.md).
std::uint32_t chase_group_size(const DeviceInfo& device, const std::string& path, std::uint32_t lanes,
                               std::optional<std::uint32_t> subgroup_size);

/// A pointer chase: which chain, and how it is walked.
struct Chase {
  std::string path = "global";
  std::string form;                            ///< one of the path's
  bool whole_subgroup = false;                 ///< all lanes of a subgroup follow the one chain in lockstep; else one invocation
  std::optional<std::uint32_t> subgroup_size;  ///< required, where the API allows to choose it
  Chain chain;
  std::uint64_t stride_bytes = 128;
  std::uint64_t columns = 0;  ///< see ChainLayout
  std::uint64_t row_stride_bytes = 0;
  bool optimize = true;    ///< whether the compiler optimises the kernel
  bool elsewhere = false;  ///< in another place of memory than without this: behind a buffer of the same size
};

/// Where the chase's nodes lie on this device.
ChainImage chase_image(const DeviceInfo& device, const Chase& chase);

/// The bytes of a constant array (KernelDesc::constants) that holds the whole chain, with incompressible filler between its nodes.
std::vector<std::byte> constant_chain(const ChainImage& image, std::uint64_t seed);

/// Why this device cannot do this chase through the path of that name; decided before anything runs. Pure.
std::optional<std::string> chase_unsupported(const DeviceInfo& device, const std::string& name, const std::string& form,
                                             bool whole_subgroup, std::optional<std::uint32_t> subgroup_size,
                                             std::uint64_t stride_bytes, std::uint64_t span_bytes);

/// The runs of the chase with kernel pair `latency`: 31 loads per loop turn after a warm-up lap, every lane's end checked, and the control
/// that keeps the loop and the form's address arithmetic. Throws DeviceError.
Trial chase_trial(Device& device, const Chase& chase, std::uint64_t seed);

}  // namespace percycle
