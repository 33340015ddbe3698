#include "device/opencl/loader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "device/error.hpp"

namespace percycle::opencl {
namespace {

struct Loader {
  Functions functions;
  std::string problem;
};

template <typename Function>
void resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

Loader open_loader() {
  Loader loader;
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) library = dlopen("libOpenCL.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    loader.problem = fmt::format("no OpenCL loader: {}", reason != nullptr ? reason : "libOpenCL.so.1 cannot be opened");
    return loader;
  }
#define PERCYCLE_RESOLVE(name)                                               \
  resolve(library, #name, loader.functions.name);                            \
  if (loader.functions.name == nullptr) {                                    \
    loader.problem = "libOpenCL.so.1 lacks " #name "; OpenCL 1.2 is needed"; \
    return loader;                                                           \
  }
  PERCYCLE_OPENCL_FUNCTIONS(PERCYCLE_RESOLVE)
#undef PERCYCLE_RESOLVE
  resolve(library, "clGetKernelSubGroupInfo", loader.functions.clGetKernelSubGroupInfo);
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
