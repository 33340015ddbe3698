#pragma once

#include <string>

#include "device/driver_answers.hpp"
#include "device/error.hpp"
#include "device/opencl/headers.hpp"

namespace percycle::opencl {

/// "CL_OUT_OF_RESOURCES"; "CL error -1234" for an unknown code.
std::string code_name(cl_int code);

/// Throws the DeviceError for `code`, which must not be CL_SUCCESS.
[[noreturn]] void fail(cl_int code, const char* call, std::string log = {});

/// Throws DeviceError unless `code` is CL_SUCCESS.
void check(cl_int code, const char* call);

/// The same for a call that makes `object`, which must not be null: "clCreateBuffer succeeded but
/// gave no buffer". `what` names it in words.
template <typename Object>
void check_made(cl_int code, const Object& object, const char* call, const char* what) {
  check(code, call);
  check_given(Api::opencl, object != nullptr, call, what);
}

/// check() for a command that has ended: CL_OUT_OF_RESOURCES then means that the command and its
/// context were killed (NVIDIA reports it after a fault or a watchdog), not that memory ran out.
void check_completion(cl_int code, const char* call);

}  // namespace percycle::opencl
