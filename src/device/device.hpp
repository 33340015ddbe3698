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
  std::uint64_t bytes = 0;      ///< a multiple of 4, greater than 0; contents start undefined
  bool is_host_memory = false;  ///< page-locked; kernels access it over the link
};

/// Device memory. Freed with its last owner; owners must not outlive the Device.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::uint64_t bytes() const = 0;
};

/// The texel format of an image: the channels, their bits and their type. Kernels read every
/// channel as 32 bits.
enum class TexelFormat {
  r32_uint,
  rg32_uint,
  rgba32_uint,
  rgba16_uint,
  rgba8_uint,
  rgba16_float,
  rgba8_unorm,
  r32_float,
  rgba32_float,
  r8_unorm
};

struct ImageDesc {
  std::shared_ptr<Buffer> buffer;  ///< viewed or copied as a whole
  TexelFormat format = TexelFormat::r32_uint;
  std::uint32_t width = 0;   ///< texels of a row; 0: the image has one dimension
  bool is_filtered = false;  ///< for BindingKind::linear2d
};

/// Texels for the texture path. With one dimension: a view of a buffer's memory, which it keeps
/// alive. With two: a copy of the buffer's rows, made with the image, in the driver's tiling.
class Image {
 public:
  explicit Image(const ImageDesc& desc) : is_2d_(desc.width > 0) {}
  virtual ~Image() = default;
  bool is_2d() const { return is_2d_; }

 private:
  bool is_2d_;
};

/// A compiled kernel.
class Kernel {
 public:
  virtual ~Kernel() = default;
};

/// One bound resource: exactly one of the two is set, as BindingKind requires.
struct Binding {
  std::shared_ptr<Buffer> buffer;
  std::shared_ptr<Image> image;
};

/// One kernel launch.
struct Dispatch {
  std::shared_ptr<Kernel> kernel;
  std::vector<Binding> bindings;  ///< one per KernelDesc::bindings
  KernelValues parameters;        ///< one for each of KernelDesc::parameters
  std::uint32_t groups = 1;       ///< work-groups along x
};

/// Several launches of one dispatch as one submission.
struct Launches {
  std::uint32_t count = 1;  ///< at least 1
  bool dependent = true;    ///< each sees the writes of the one before it; else they may overlap
  bool indirect = false;    ///< the device reads the number of work-groups from its memory
  /// Dependent by a barrier between two. Vulkan has one in any case; OpenCL's queue with an order
  /// needs none, so another one takes the launches.
  bool barriers = false;
  /// By the device's timer. Else the submission has nothing but dependent launches, and only the
  /// host's time is known.
  bool timed = true;
};

/// The queues that take launches in turn.
enum class LaunchQueues {
  one,        ///< Vulkan: nothing but semaphores and barriers orders their work
  unordered,  ///< OpenCL: one out-of-order queue
  two,        ///< Vulkan: of one family
  families,   ///< Vulkan: two queues of two families that compute
};

/// Several launches of one dispatch, each a submission, before the host waits for all.
struct QueuedLaunches {
  LaunchQueues queues = LaunchQueues::one;
  std::uint32_t count = 2;  ///< at least 1
  /// Each waits for the one before and sees its writes: by the order of OpenCL's queue, by a
  /// barrier in Vulkan's queue, else by an event or a semaphore. Otherwise they may overlap.
  bool waits = false;
};

/// The timing of queued launches: of all, and of each of two by its own timestamps.
struct QueuedTiming {
  Timing all;
  std::vector<double> each_ns;  ///< empty if unknown, or if there are not two
};

/// One moment by two clocks.
struct ClockMoment {
  std::uint64_t device_ticks = 0;  ///< of the device-wide clock that kernels read
  std::int64_t host_ns = 0;        ///< of the host's steady clock
  double error_ns = 0;             ///< the two differ by at most this
};

/// Host memory of a transfer: ordinary or page-locked by the driver.
enum class HostMemory { pageable, pinned };

class PeerLink;

/// One device opened through one API. Knows nothing of benchmarks. Not thread-safe. Throws
/// DeviceError if the API refuses a call, std::invalid_argument if an argument breaks this
/// interface's rules. cl_kernels/prelude.h lists the definitions that every kernel gets.
class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceInfo& info() const = 0;

  virtual std::shared_ptr<Buffer> create(const BufferDesc& desc) = 0;
  /// Throws DeviceError of kind `unsupported` for a format that the device lacks.
  virtual std::shared_ptr<Image> create(const ImageDesc& desc) = 0;
  /// Compiles a kernel. Several threads may compile at once while the device does nothing else.
  /// Throws DeviceError of kind `build` with the compiler's log.
  virtual std::shared_ptr<Kernel> create(const KernelDesc& desc) = 0;

  /// The address of byte 0 of the buffer in kernels; empty if the API does not report it (OpenCL).
  virtual std::optional<std::uint64_t> address(const Buffer& buffer) const = 0;
  /// The driver's properties of the compiled kernel; empty if it reports none.
  virtual std::optional<CodeInfo> code(const Kernel& kernel) const = 0;

  /// The driver's texts of the code of a kernel made with KernelDesc::keep_code; empty if it shows
  /// none.
  virtual std::vector<CodeText> code_texts(const Kernel& /*kernel*/) const { return {}; }

  /// The API's binaries of a kernel made with KernelDesc::keep_code; empty if it has none.
  virtual std::vector<CodeBinary> code_binaries(const Kernel& /*kernel*/) const { return {}; }

  /// Copies host bytes to the buffer at `offset` (both multiples of 4) and waits. The timing covers
  /// the copy.
  virtual Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes,
                       HostMemory memory = HostMemory::pageable) = 0;
  /// Copies the buffer's bytes from `offset` on to the host and waits.
  virtual Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes,
                      HostMemory memory = HostMemory::pageable) = 0;
  /// Copies `in` to one buffer and another buffer to `out`, as many bytes, through page-locked
  /// memory, and waits for both. The driver may do both at the same time. The default throws
  /// DeviceError of kind unsupported.
  virtual Timing exchange(Buffer& to, std::span<const std::byte> in, const Buffer& from, std::span<std::byte> out);
  /// Runs one dispatch and waits. It sees all earlier writes, and its writes are visible to
  /// everything later.
  virtual Timing run(const Dispatch& dispatch) = 0;
  /// Launches one dispatch several times and waits for all. Throws DeviceError of kind unsupported
  /// if the API or the device lacks that form, as this default does.
  virtual Timing launch(const Dispatch& dispatch, const Launches& launches);
  /// The same through other queues.
  virtual QueuedTiming launch_queued(const Dispatch& dispatch, const QueuedLaunches& launches);

  /// Opens one of DeviceInfo::peers, too, with buffers of so many bytes. The default throws
  /// DeviceError of kind unsupported.
  virtual std::shared_ptr<PeerLink> link(const PeerDevice& peer, std::uint64_t bytes);

  /// The device's clock and the host's now; empty if the API does not relate them.
  virtual std::optional<ClockMoment> moment() { return std::nullopt; }

 protected:
  Device() = default;
  Device(const Device&) = default;
  Device& operator=(const Device&) = default;
};

}  // namespace percycle
