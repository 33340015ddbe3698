#include "device/opencl/commands.hpp"

#include <thread>

namespace percycle::opencl {
namespace {

// Far beyond any command that percycle plans.
constexpr std::chrono::seconds kEventDeadline{120};

}  // namespace

Context make_context(cl_platform_id platform, std::initializer_list<cl_device_id> devices) {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform), 0};
  cl_int code = CL_SUCCESS;
  Context context(
      functions().clCreateContext(properties, static_cast<cl_uint>(devices.size()), devices.begin(), nullptr, nullptr, &code));
  check_made(code, context, "clCreateContext", "context");
  return context;
}

Queue make_queue(cl_context context, cl_device_id device, cl_command_queue_properties properties) {
  cl_int code = CL_SUCCESS;
  Queue queue(functions().clCreateCommandQueue(context, device, properties, &code));
  check_made(code, queue, "clCreateCommandQueue", "queue");
  return queue;
}

double ns_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::nano>(end - begin).count();
}

Clock::time_point wait(cl_event event) {
  const Functions& cl = functions();
  const Clock::time_point deadline = Clock::now() + kEventDeadline;
  for (;;) {
    const cl_int waited = cl.clWaitForEvents(1, &event);
    const Clock::time_point end = Clock::now();
    cl_int status = CL_COMPLETE;
    const cl_int asked = cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
    // A command that a fault ended has the reason as its status; the wait reports only that there
    // is one.
    if (asked == CL_SUCCESS && status < 0) check_completion(status, "clWaitForEvents");
    check_completion(waited, "clWaitForEvents");
    check(asked, "clGetEventInfo");
    if (status == CL_COMPLETE) return end;
    // A faulty driver's wait ended too early.
    if (end >= deadline) throw DeviceError(Api::opencl, DeviceError::Kind::lost, "clWaitForEvents", "before the command ended");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::optional<double> device_time(cl_event first, cl_event last) {
  cl_ulong start = 0;
  cl_ulong end = 0;
  const Functions& cl = functions();
  if (cl.clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof(start), &start, nullptr) != CL_SUCCESS)
    return std::nullopt;
  if (cl.clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr) != CL_SUCCESS) return std::nullopt;
  if (start == 0 || end <= start) return std::nullopt;
  return static_cast<double>(end - start);
}

}  // namespace percycle::opencl
