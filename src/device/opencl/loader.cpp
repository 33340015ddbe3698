#include "device/opencl/loader.hpp"

#include <fmt/format.h>

#include "device/error.hpp"
#include "platform/library.hpp"

namespace percycle::opencl {
namespace {

struct Loader {
  Functions functions;
  std::string problem;
};

Loader open_loader() {
  Loader loader;
  const Library library = Library::opencl_loader();
  if (!library.is_open()) {
    loader.problem = fmt::format("no OpenCL loader: {}", library.problem());
    return loader;
  }
#define PERCYCLE_RESOLVE(name)                                                       \
  if (!library.find(#name, loader.functions.name)) {                                 \
    loader.problem = "the OpenCL loader lacks " #name "; percycle needs OpenCL 1.2"; \
    return loader;                                                                   \
  }
  PERCYCLE_OPENCL_FUNCTIONS(PERCYCLE_RESOLVE)
#undef PERCYCLE_RESOLVE
  library.find("clGetKernelSubGroupInfo", loader.functions.clGetKernelSubGroupInfo);
  library.find("clGetDeviceAndHostTimer", loader.functions.clGetDeviceAndHostTimer);
  return loader;
}

const Loader& loader() {
  static const Loader instance = open_loader();
  return instance;
}

}  // namespace

const std::string& loader_problem() { return loader().problem; }

const Functions& functions() {
  if (!loader().problem.empty()) throw DeviceError(Api::opencl, DeviceError::Kind::other, "dlopen", loader().problem);
  return loader().functions;
}

}  // namespace percycle::opencl
