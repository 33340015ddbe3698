#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/sample.hpp"
#include "device/error.hpp"
#include "device/info.hpp"
#include "device/kernel.hpp"

namespace percycle {

struct BufferDesc {
  std::uint64_t bytes = 0;  ///< a multiple of 4, greater than 0; contents start undefined
};

/// Device memory. Freed with its last owner; owners must not outlive the Device.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::uint64_t bytes() const = 0;
};

/// The texel format of an image over a buffer; one, two or four 32-bit unsigned channels (4, 8, 16 bytes).
enum class TexelFormat { r32_uint, rg32_uint, rgba32_uint };

struct ImageDesc {
  std::shared_ptr<Buffer> buffer;  ///< the whole buffer is viewed
  TexelFormat format = TexelFormat::r32_uint;
};

/// A one-dimensional view of a buffer's memory for the texture path. Keeps its buffer alive.
class Image {
 public:
  virtual ~Image() = default;
};

/// A compiled kernel.
class Kernel {
 public:
  virtual ~Kernel() = default;
};

/// One bound resource: exactly one of the two is set, as BindingKind demands.
struct Binding {
  std::shared_ptr<Buffer> buffer;
  std::shared_ptr<Image> image;
};

/// One kernel launch.
struct Dispatch {
  std::shared_ptr<Kernel> kernel;
  std::vector<Binding> bindings;  ///< as many as KernelDesc::bindings
  KernelValues parameters;        ///< of each of KernelDesc::parameters
  std::uint32_t groups = 1;       ///< work-groups along x
};

/// Host memory of a transfer: ordinary, or page-locked by the driver.
enum class HostMemory { pageable, pinned };

/// One device opened through one API. Knows nothing of benchmarks. Not thread-safe. Every call that the API refuses throws DeviceError;
/// a Dispatch, range or description that breaks this interface's own rules throws std::invalid_argument.
///
/// Both implementations define for every kernel: LOCAL_SIZE (work-group size), HAS_UNIT_CLOCK, HAS_DEVICE_CLOCK and HAS_UNIT_ID (1 or 0),
/// and put the prelude (cl_kernels/prelude.h, shaders/prelude.glsl) in front of the source, which declares percycle_unit_clock() and
/// percycle_device_clock(), each returning a 64-bit count (ulong / uvec2 low-high), and percycle_unit_id() (uint); 0 where there is none.
/// Behind it they declare the constants and the parameter block `p` (KernelDesc::parameters).
class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceInfo& info() const = 0;

  virtual std::shared_ptr<Buffer> create(const BufferDesc& desc) = 0;
  virtual std::shared_ptr<Image> create(const ImageDesc& desc) = 0;
  /// Compiles. Several threads may compile at once, while nothing else is asked of the device. Throws DeviceError of kind
  /// `build` with the compiler's log.
  virtual std::shared_ptr<Kernel> create(const KernelDesc& desc) = 0;

  /// The address kernels see for byte 0 of the buffer; empty where the API does not tell (OpenCL).
  virtual std::optional<std::uint64_t> address(const Buffer& buffer) const = 0;
  /// What the driver tells of the compiled kernel; empty where it tells nothing.
  virtual std::optional<CodeInfo> code(const Kernel& kernel) const = 0;

  /// The forms of its code that the driver shows of a kernel made with KernelDesc::keep_code; none where it shows nothing.
  virtual std::vector<CodeText> code_texts(const Kernel& /*kernel*/) const { return {}; }

  /// What the API hands out of a kernel made with KernelDesc::keep_code; none where it hands out nothing.
  virtual std::vector<CodeBinary> code_binaries(const Kernel& /*kernel*/) const { return {}; }

  /// Copies host bytes to the buffer at `offset` (both multiples of 4) and waits. Timing covers the copy.
  virtual Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes,
                       HostMemory memory = HostMemory::pageable) = 0;
  /// Copies the buffer's bytes from `offset` on to the host and waits.
  virtual Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes,
                      HostMemory memory = HostMemory::pageable) = 0;
  /// Runs one dispatch, all earlier writes visible to it, and waits; its writes are visible to everything later.
  virtual Timing run(const Dispatch& dispatch) = 0;

 protected:
  Device() = default;
  Device(const Device&) = default;
  Device& operator=(const Device&) = default;
};

}  // namespace percycle
