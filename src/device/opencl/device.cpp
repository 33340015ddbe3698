#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "device/driver_answers.hpp"
#include "device/opencl/build.hpp"
#include "device/opencl/commands.hpp"
#include "device/opencl/describe.hpp"
#include "device/opencl/errors.hpp"
#include "device/opencl/foreign_kernel.hpp"
#include "device/opencl/opencl.hpp"
#include "device/opencl/peer_link.hpp"
#include "device/opencl/platforms.hpp"
#include "device/opencl/staging.hpp"
#include "device/rules.hpp"
#include "device/spare_list.hpp"
#include "device/stale_memory.hpp"

namespace percycle {
namespace opencl {
namespace {

/// `object` as this API's own class. Throws std::invalid_argument for null and for another API's
/// object.
template <typename Own, typename Base>
Own& own(Base* object, const char* name) {
  Own* typed = dynamic_cast<Own*>(object);
  if (typed == nullptr) throw std::invalid_argument(fmt::format("{} is missing or belongs to another API", name));
  return *typed;
}

/// From the start of the first of two commands to the end of the last, in any order.
std::optional<double> time_of_both(cl_event a, cl_event b) {
  std::optional<double> longest;
  for (const auto& [first, last] : {std::pair{a, a}, {a, b}, {b, a}, {b, b}}) {
    if (const auto ns = device_time(first, last)) longest = std::max(longest.value_or(0), *ns);
  }
  return longest;
}

cl_image_format image_format(TexelFormat format) {
  switch (format) {
    case TexelFormat::r32_uint:
      return {CL_R, CL_UNSIGNED_INT32};
    case TexelFormat::rg32_uint:
      return {CL_RG, CL_UNSIGNED_INT32};
    case TexelFormat::rgba32_uint:
      return {CL_RGBA, CL_UNSIGNED_INT32};
    case TexelFormat::rgba16_uint:
      return {CL_RGBA, CL_UNSIGNED_INT16};
    case TexelFormat::rgba8_uint:
      return {CL_RGBA, CL_UNSIGNED_INT8};
    case TexelFormat::rgba16_float:
      return {CL_RGBA, CL_HALF_FLOAT};
    case TexelFormat::rgba8_unorm:
      return {CL_RGBA, CL_UNORM_INT8};
    case TexelFormat::r32_float:
      return {CL_R, CL_FLOAT};
    case TexelFormat::rgba32_float:
      return {CL_RGBA, CL_FLOAT};
    case TexelFormat::r8_unorm:
      return {CL_R, CL_UNORM_INT8};
  }
  throw std::invalid_argument("an unknown texel format");
}

class OpenclDevice final : public Device {
 public:
  OpenclDevice(const DeviceQuery& query, DeviceInfo info)
      : query_(query),
        info_(std::move(info)),
        clocks_(find_clocks(query, info_.type)),
        context_(make_context(query.platform(), {query.device()})) {
    queue_ = make_queue(CL_QUEUE_PROFILING_ENABLE);
  }

  const DeviceInfo& info() const override { return info_; }

  std::shared_ptr<Buffer> create(const BufferDesc& desc) override {
    check_rules(desc);
    cl_int code = CL_SUCCESS;
    if (desc.bytes > info_.memory_bytes.value_or(UINT64_MAX)) {
      // NVIDIA's driver makes a larger buffer and fails at its first use, with an error that does
      // not mention memory.
      throw DeviceError(Api::opencl, DeviceError::Kind::out_of_memory, "clCreateBuffer", "(not called)",
                        fmt::format("{} B are more than the device's {} B", desc.bytes, *info_.memory_bytes));
    }
    const bool kept = desc.bytes <= kSmallBuffer && info_.type == DeviceType::gpu && !desc.is_host_memory;
    if (kept) {
      if (auto spare = kept_.find(desc.bytes)) return spare;
    }
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (desc.is_host_memory ? CL_MEM_ALLOC_HOST_PTR : 0);
    Memory memory(functions().clCreateBuffer(context_.get(), flags, desc.bytes, nullptr, &code));
    check_made(code, memory, "clCreateBuffer", "buffer");
    auto buffer = std::make_shared<OpenclBuffer>(std::move(memory), desc.bytes);
    if (kept) kept_.add(buffer);
    return buffer;
  }

  std::shared_ptr<Image> create(const ImageDesc& desc) override {
    check_rules(desc, info_);
    const OpenclBuffer& buffer = own<OpenclBuffer>(desc.buffer.get(), "the image's buffer");
    const cl_image_format format = image_format(desc.format);
    const std::uint64_t texels = buffer.bytes() / texel_bytes(desc.format);
    cl_image_desc image{};
    if (desc.width > 0) {
      image.image_type = CL_MEM_OBJECT_IMAGE2D;
      image.image_width = desc.width;
      image.image_height = texels / desc.width;
    } else {
      image.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
      image.image_width = texels;
      image.buffer = buffer.memory();
    }
    cl_int code = CL_SUCCESS;
    Memory memory(functions().clCreateImage(context_.get(), CL_MEM_READ_ONLY, &format, &image, nullptr, &code));
    // The call's own code varies (PoCL: CL_INVALID_OPERATION).
    if (code != CL_SUCCESS) require_supported(format, image.image_type, texel_bytes(desc.format));
    check_made(code, memory, "clCreateImage", "image");
    if (desc.width > 0) copy(buffer, memory.get(), image.image_width, image.image_height);
    return std::make_shared<OpenclImage>(desc, std::move(memory));
  }

  std::shared_ptr<Kernel> create(const KernelDesc& desc) override {
    check_rules(desc, info_);
    return build_kernel(query_, context_.get(), clocks_, desc);
  }

  std::optional<std::uint64_t> address(const Buffer&) const override { return std::nullopt; }

  std::optional<CodeInfo> code(const Kernel& kernel) const override {
    if (is_foreign(kernel)) return std::nullopt;
    return code_info(query_, info_, own<const OpenclKernel>(&kernel, "the kernel"));
  }

  std::vector<CodeBinary> code_binaries(const Kernel& kernel) const override {
    if (is_foreign(kernel)) return {};
    return opencl::code_binaries(own<const OpenclKernel>(&kernel, "the kernel"));
  }

  Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes, HostMemory memory) override {
    const OpenclBuffer& target = own<OpenclBuffer>(&buffer, "the buffer");
    check_transfer(buffer, offset, bytes.size());
    const std::byte* host = bytes.data();
    if (memory == HostMemory::pinned)
      host = static_cast<std::byte*>(std::memcpy(staging(bytes.size()), bytes.data(), bytes.size()));
    return timed("clEnqueueWriteBuffer", [&](cl_event* event) {
      return functions().clEnqueueWriteBuffer(queue_.get(), target.memory(), CL_FALSE, offset, bytes.size(), host, 0, nullptr,
                                              event);
    });
  }

  Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes, HostMemory memory) override {
    const OpenclBuffer& source = own<const OpenclBuffer>(&buffer, "the buffer");
    check_transfer(buffer, offset, bytes.size());
    std::byte* host = memory == HostMemory::pinned ? staging(bytes.size()) : bytes.data();
    mark_stale({host, bytes.size()});
    const Timing timing = timed("clEnqueueReadBuffer", [&](cl_event* event) {
      return functions().clEnqueueReadBuffer(queue_.get(), source.memory(), CL_FALSE, offset, bytes.size(), host, 0, nullptr,
                                             event);
    });
    if (memory == HostMemory::pinned) std::memcpy(bytes.data(), host, bytes.size());
    return timing;
  }

  /// One queue each way: a queue in order does one copy after the other.
  Timing exchange(Buffer& to, std::span<const std::byte> in, const Buffer& from, std::span<std::byte> out) override {
    const OpenclBuffer& target = own<OpenclBuffer>(&to, "the buffer");
    const OpenclBuffer& source = own<const OpenclBuffer>(&from, "the other buffer");
    check_transfer(to, 0, in.size());
    check_transfer(from, 0, out.size());
    const Functions& cl = functions();
    if (returning_ == nullptr) returning_ = make_queue(CL_QUEUE_PROFILING_ENABLE);
    std::byte* const sent = pinned(staging_, in.size());
    std::byte* const received = pinned(received_, out.size());
    std::memcpy(sent, in.data(), in.size());
    mark_stale({received, out.size()});
    const auto begin = Clock::now();
    cl_event raw = nullptr;
    check_made(cl.clEnqueueWriteBuffer(queue_.get(), target.memory(), CL_FALSE, 0, in.size(), sent, 0, nullptr, &raw), raw,
               "clEnqueueWriteBuffer", "event");
    const Event there(std::exchange(raw, nullptr));
    check_made(cl.clEnqueueReadBuffer(returning_.get(), source.memory(), CL_FALSE, 0, out.size(), received, 0, nullptr, &raw),
               raw, "clEnqueueReadBuffer", "event");
    const Event back(raw);
    check(cl.clFlush(queue_.get()), "clFlush");
    check(cl.clFlush(returning_.get()), "clFlush");
    wait(there.get());
    const double host_ns = ns_between(begin, wait(back.get()));
    std::memcpy(out.data(), received, out.size());
    return {.host_ns = host_ns, .device_ns = time_of_both(there.get(), back.get())};
  }

  Timing run(const Dispatch& dispatch) override {
    const OpenclKernel& kernel = own<OpenclKernel>(dispatch.kernel.get(), "the dispatch's kernel");
    check_rules(dispatch, kernel.bindings(), info_);
    bind(kernel, dispatch);
    const std::size_t local = kernel.local_size();
    const std::size_t global = local * dispatch.groups;
    return timed("clEnqueueNDRangeKernel", [&](cl_event* event) {
      return functions().clEnqueueNDRangeKernel(queue_.get(), kernel.kernel(), 1, nullptr, &global, &local, 0, nullptr, event);
    });
  }

  /// Dependent launches without barriers run on an in-order queue, which has the costs of profiling
  /// only if they are timed. All others run on the out-of-order queue. There, no event tells which
  /// begins first or ends last: only the host's time is known.
  Timing launch(const Dispatch& dispatch, const Launches& launches) override {
    if (launches.indirect) throw unsupported("OpenCL has no indirect launches");
    if (auto* const foreign = dynamic_cast<OpenclForeignKernel*>(dispatch.kernel.get()))
      return launch_foreign(*foreign, launches);
    const OpenclKernel& kernel = own<OpenclKernel>(dispatch.kernel.get(), "the dispatch's kernel");
    check_rules(dispatch, kernel.bindings(), info_);
    check_rules(launches);
    bind(kernel, dispatch);
    const bool is_ordered = launches.dependent && !launches.barriers;
    const cl_command_queue queue = !is_ordered ? unordered_queue() : launches.timed ? queue_.get() : plain_queue();
    const std::size_t local = kernel.local_size();
    const std::size_t global = local * dispatch.groups;
    const auto enqueue = [&](cl_event* event) {
      const cl_int code =
          functions().clEnqueueNDRangeKernel(queue, kernel.kernel(), 1, nullptr, &global, &local, 0, nullptr, event);
      check(code, "clEnqueueNDRangeKernel");
      if (event != nullptr) check_made(code, *event, "clEnqueueNDRangeKernel", "event");
    };
    const auto begin = Clock::now();
    if (!is_ordered) {
      for (std::uint32_t i = 0; i < launches.count; ++i) {
        if (i > 0 && launches.barriers)
          check(functions().clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), "clEnqueueBarrierWithWaitList");
        enqueue(nullptr);
      }
      check_completion(functions().clFinish(queue), "clFinish");
      return {.host_ns = ns_between(begin, Clock::now()), .device_ns = std::nullopt};
    }
    cl_event raw = nullptr;
    enqueue(&raw);
    const Event first(std::exchange(raw, nullptr));
    for (std::uint32_t i = 2; i < launches.count; ++i) enqueue(nullptr);
    Event last;
    if (launches.count > 1) {
      enqueue(&raw);
      last.reset(raw);
    }
    const cl_event ended = last ? last.get() : first.get();
    const Clock::time_point end = wait(ended);
    return {.host_ns = ns_between(begin, end),
            .device_ns = launches.timed ? device_time(first.get(), ended) : std::nullopt,
            .begin_ns = std::chrono::nanoseconds(begin.time_since_epoch()).count()};
  }

  QueuedTiming launch_queued(const Dispatch& dispatch, const QueuedLaunches& launches) override {
    if (launches.queues == LaunchQueues::families) throw unsupported("OpenCL's queues have no families");
    const OpenclKernel& kernel = own<OpenclKernel>(dispatch.kernel.get(), "the dispatch's kernel");
    check_rules(dispatch, kernel.bindings(), info_);
    check_rules(launches);
    bind(kernel, dispatch);
    const Functions& cl = functions();
    if (launches.queues == LaunchQueues::two && returning_ == nullptr) returning_ = make_queue(CL_QUEUE_PROFILING_ENABLE);
    const cl_command_queue first = launches.queues == LaunchQueues::unordered ? unordered_queue(true) : queue_.get();
    const cl_command_queue second = launches.queues == LaunchQueues::two ? returning_.get() : first;
    const std::size_t local = kernel.local_size();
    const std::size_t global = local * dispatch.groups;
    std::vector<Event> events;
    const auto begin = Clock::now();
    for (std::uint32_t i = 0; i < launches.count; ++i) {
      cl_event before = i > 0 && launches.waits && launches.queues != LaunchQueues::one ? events.back().get() : nullptr;
      cl_event raw = nullptr;
      check_made(cl.clEnqueueNDRangeKernel(i % 2 == 0 ? first : second, kernel.kernel(), 1, nullptr, &global, &local,
                                           before == nullptr ? 0 : 1, before == nullptr ? nullptr : &before, &raw),
                 raw, "clEnqueueNDRangeKernel", "event");
      events.emplace_back(raw);
    }
    check(cl.clFlush(first), "clFlush");
    if (second != first) check(cl.clFlush(second), "clFlush");
    Clock::time_point end = begin;
    for (const Event& event : events) end = wait(event.get());
    QueuedTiming timing{.all = {.host_ns = ns_between(begin, end),
                                .device_ns = time_of_both(events.front().get(), events.back().get()),
                                .begin_ns = std::chrono::nanoseconds(begin.time_since_epoch()).count()},
                        .each_ns = {}};
    if (launches.count == 2) {
      for (const Event& event : events) {
        if (const auto ns = device_time(event.get(), event.get())) timing.each_ns.push_back(*ns);
      }
      if (timing.each_ns.size() != events.size()) timing.each_ns.clear();
    }
    return timing;
  }

  /// The link has a separate context: in one of two devices, a driver may keep buffers elsewhere.
  std::shared_ptr<PeerLink> link(const PeerDevice& peer, std::uint64_t bytes) override {
    const DeviceQuery other = find_device(peer.index + (info_.open_index - info_.index));
    return std::make_shared<OpenclPeerLink>(query_, other, bytes);
  }

  /// The driver's own host time has no stated epoch, so the call lies between two reads of ours.
  std::optional<ClockMoment> moment() override {
    if (functions().clGetDeviceAndHostTimer == nullptr) return std::nullopt;
    const auto now = [] { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); };
    cl_ulong device = 0;
    cl_ulong host = 0;
    const std::int64_t before = now();
    if (functions().clGetDeviceAndHostTimer(query_.device(), &device, &host) != CL_SUCCESS) return std::nullopt;
    const std::int64_t after = now();
    return ClockMoment{
        .device_ticks = device, .host_ns = before + (after - before) / 2, .error_ns = static_cast<double>(after - before) / 2};
  }

 private:
  static DeviceError unsupported(const char* why) {
    return {Api::opencl, DeviceError::Kind::unsupported, "clEnqueueNDRangeKernel", "(not called)", why};
  }

  static bool is_foreign(const Kernel& kernel) { return dynamic_cast<const OpenclForeignKernel*>(&kernel) != nullptr; }

  /// The library returns no events, so barriers around its work tell when it begins and ends.
  Timing launch_foreign(OpenclForeignKernel& kernel, const Launches& launches) {
    check_rules(launches);
    if (!launches.dependent || launches.barriers) throw unsupported("another library's work runs in the queue's order");
    const auto barrier = [&] {
      cl_event raw = nullptr;
      check_made(functions().clEnqueueBarrierWithWaitList(queue_.get(), 0, nullptr, &raw), raw, "clEnqueueBarrierWithWaitList",
                 "event");
      return Event(raw);
    };
    const auto begin = Clock::now();
    const Event first = barrier();
    for (std::uint32_t i = 0; i < launches.count; ++i) kernel.enqueue(queue_.get());
    const Event last = barrier();
    const Clock::time_point end = wait(last.get());
    return {.host_ns = ns_between(begin, end), .device_ns = device_time(first.get(), last.get())};
  }

  Queue make_queue(cl_command_queue_properties properties) const {
    return opencl::make_queue(context_.get(), query_.device(), properties);
  }

  /// A queue in order without profiling.
  cl_command_queue plain_queue() {
    if (plain_ == nullptr) plain_ = make_queue(0);
    return plain_.get();
  }

  /// A queue whose commands may overlap, with the costs of profiling or without.
  cl_command_queue unordered_queue(bool profiled = false) {
    Queue& queue = profiled ? profiled_unordered_ : unordered_;
    if (queue != nullptr) return queue.get();
    const auto offered = query_.number<cl_command_queue_properties>(CL_DEVICE_QUEUE_PROPERTIES);
    if ((offered & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0) throw unsupported("the driver has no out-of-order queues");
    queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | (profiled ? CL_QUEUE_PROFILING_ENABLE : 0));
    return queue.get();
  }

  /// In OpenCL 1.2 two-channel formats are optional; PoCL has none.
  void require_supported(const cl_image_format& wanted, cl_mem_object_type type, std::uint64_t bytes) const {
    const auto ask = [&](cl_uint room, cl_image_format* formats, cl_uint* count) {
      check(functions().clGetSupportedImageFormats(context_.get(), CL_MEM_READ_ONLY, type, room, formats, count),
            "clGetSupportedImageFormats");
    };
    cl_uint count = 0;
    ask(0, nullptr, &count);
    check_count(Api::opencl, "clGetSupportedImageFormats", count);
    std::vector<cl_image_format> formats(count);
    if (count > 0) ask(count, formats.data(), nullptr);
    const bool there = std::any_of(formats.begin(), formats.end(), [&](const cl_image_format& format) {
      return format.image_channel_order == wanted.image_channel_order &&
             format.image_channel_data_type == wanted.image_channel_data_type;
    });
    if (!there) {
      throw DeviceError(Api::opencl, DeviceError::Kind::unsupported, "clGetSupportedImageFormats", "no such format",
                        fmt::format("texels of {} B", bytes));
    }
  }

  /// Copies the texels of a buffer to an image of two dimensions and waits.
  void copy(const OpenclBuffer& buffer, cl_mem image, std::size_t width, std::size_t height) {
    const std::array<std::size_t, 3> origin{0, 0, 0};
    const std::array<std::size_t, 3> region{width, height, 1};
    timed("clEnqueueCopyBufferToImage", [&](cl_event* event) {
      return functions().clEnqueueCopyBufferToImage(queue_.get(), buffer.memory(), image, 0, origin.data(), region.data(), 0,
                                                    nullptr, event);
    });
  }

  static void bind(const OpenclKernel& kernel, const Dispatch& dispatch) {
    const auto parameters = kernel.parameter_block(dispatch.parameters);
    cl_uint argument = 0;
    for (const Binding& binding : dispatch.bindings) {
      const bool wants_image = is_image(kernel.bindings()[argument]);
      const cl_mem memory = wants_image ? own<OpenclImage>(binding.image.get(), "the image").memory()
                                        : own<OpenclBuffer>(binding.buffer.get(), "the buffer").memory();
      check(functions().clSetKernelArg(kernel.kernel(), argument, sizeof(memory), &memory), "clSetKernelArg");
      ++argument;
    }
    if (parameters.empty()) return;
    const std::size_t bytes = parameters.size() * sizeof(std::uint32_t);
    check(functions().clSetKernelArg(kernel.kernel(), argument, bytes, parameters.data()), "clSetKernelArg");
  }

  std::byte* staging(std::size_t bytes) { return pinned(staging_, bytes); }

  /// Pinned memory of at least `bytes`. It grows to the largest transfer and stays: pinning costs
  /// far more than a copy.
  std::byte* pinned(std::unique_ptr<Staging>& memory, std::size_t bytes) {
    if (memory == nullptr || memory->bytes().size() < bytes) {
      memory.reset();
      memory = std::make_unique<Staging>(context_.get(), queue_.get(), bytes);
    }
    return memory->bytes().data();
  }

  DeviceQuery query_;
  DeviceInfo info_;
  Clocks clocks_;
  Context context_;
  Queue queue_;
  Queue plain_;               ///< made at first use
  Queue unordered_;           ///< likewise
  Queue profiled_unordered_;  ///< likewise
  Queue returning_;           ///< likewise: the second queue in order
  std::unique_ptr<Staging> staging_;
  std::unique_ptr<Staging> received_;
  SpareList<OpenclBuffer> kept_;  ///< buffers up to kSmallBuffer
};

}  // namespace
}  // namespace opencl

std::unique_ptr<Device> open_opencl(std::uint32_t open_index, std::optional<std::uint32_t> index) {
  const opencl::DeviceQuery query = opencl::find_device(open_index);
  DeviceInfo info = opencl::describe(query, open_index);
  renumber(info, index.value_or(open_index));
  return std::make_unique<opencl::OpenclDevice>(query, std::move(info));
}

}  // namespace percycle
