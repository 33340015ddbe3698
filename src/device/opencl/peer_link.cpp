#include "device/opencl/peer_link.hpp"

#include <stdexcept>

#include "device/opencl/commands.hpp"
#include "device/rules.hpp"

namespace percycle::opencl {
namespace {

std::uint64_t checked(std::uint64_t bytes) {
  check_rules(BufferDesc{bytes});
  return bytes;
}

}  // namespace

OpenclPeerLink::OpenclPeerLink(const DeviceQuery& device, const DeviceQuery& peer, std::uint64_t bytes)
    : bytes_(checked(bytes)),
      context_(make_context(device.platform(), {device.device(), peer.device()})),
      queue_(make_queue(context_.get(), device.device(), CL_QUEUE_PROFILING_ENABLE)),
      peer_queue_(make_queue(context_.get(), peer.device(), CL_QUEUE_PROFILING_ENABLE)),
      original_(make_buffer()),
      source_(make_buffer()),
      target_(make_buffer()) {}

void OpenclPeerLink::write(std::span<const std::byte> bytes) {
  require_whole(bytes.size());
  timed("clEnqueueWriteBuffer", [&](cl_event* event) {
    return functions().clEnqueueWriteBuffer(queue_.get(), original_.get(), CL_FALSE, 0, bytes.size(), bytes.data(), 0, nullptr,
                                            event);
  });
}

Timing OpenclPeerLink::copy() {
  const Functions& cl = functions();
  timed("clEnqueueCopyBuffer", [&](cl_event* event) {
    return cl.clEnqueueCopyBuffer(queue_.get(), original_.get(), source_.get(), 0, 0, bytes_, 0, nullptr, event);
  });
  timed("clEnqueueFillBuffer", [&](cl_event* event) {
    const cl_uint other = 0;
    return cl.clEnqueueFillBuffer(peer_queue_.get(), target_.get(), &other, sizeof(other), 0, bytes_, 0, nullptr, event);
  });
  return timed("clEnqueueCopyBuffer", [&](cl_event* event) {
    return cl.clEnqueueCopyBuffer(peer_queue_.get(), source_.get(), target_.get(), 0, 0, bytes_, 0, nullptr, event);
  });
}

void OpenclPeerLink::read(std::span<std::byte> bytes) {
  require_whole(bytes.size());
  timed("clEnqueueReadBuffer", [&](cl_event* event) {
    return functions().clEnqueueReadBuffer(peer_queue_.get(), target_.get(), CL_FALSE, 0, bytes.size(), bytes.data(), 0, nullptr,
                                           event);
  });
}

void OpenclPeerLink::require_whole(std::uint64_t bytes) const {
  if (bytes != bytes_) throw std::invalid_argument("a part of a buffer of a link between two devices");
}

Memory OpenclPeerLink::make_buffer() const {
  cl_int code = CL_SUCCESS;
  Memory memory(functions().clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes_, nullptr, &code));
  check_made(code, memory, "clCreateBuffer", "buffer");
  return memory;
}

}  // namespace percycle::opencl
