#pragma once

#include <chrono>
#include <initializer_list>
#include <optional>

#include "core/sample.hpp"
#include "device/opencl/errors.hpp"
#include "device/opencl/handles.hpp"

namespace percycle::opencl {

using Clock = std::chrono::steady_clock;

/// A context of devices of one platform. Throws DeviceError.
Context make_context(cl_platform_id platform, std::initializer_list<cl_device_id> devices);

/// Throws DeviceError.
Queue make_queue(cl_context context, cl_device_id device, cl_command_queue_properties properties);

double ns_between(Clock::time_point begin, Clock::time_point end);

/// Waits until the command has ended. Returns when the wait ended, before the checks that a program
/// does without. Throws DeviceError if the command failed.
Clock::time_point wait(cl_event event);

/// From the start of one command to the end of another, or of the same, on the device; empty if the
/// driver's two times are impossible.
std::optional<double> device_time(cl_event first, cl_event last);

/// Enqueues one command by `enqueue(cl_event*)` and times it to its end.
template <typename Enqueue>
Timing timed(const char* call, const Enqueue& enqueue) {
  const Clock::time_point begin = Clock::now();
  cl_event raw = nullptr;
  const cl_int code = enqueue(&raw);
  const Event event(raw);
  check_made(code, event, call, "event");
  const Clock::time_point end = wait(event.get());
  return {.host_ns = ns_between(begin, end),
          .device_ns = device_time(event.get(), event.get()),
          .begin_ns = std::chrono::nanoseconds(begin.time_since_epoch()).count()};
}

}  // namespace percycle::opencl
