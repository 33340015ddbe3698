#include "device/opencl/foreign_kernel.hpp"

#include "device/opencl/errors.hpp"
#include "device/opencl/resources.hpp"

namespace percycle::opencl {

std::optional<OpenclHandles> raw_buffer(const Buffer& buffer) {
  const auto* const known = dynamic_cast<const OpenclBuffer*>(&buffer);
  if (known == nullptr) return std::nullopt;
  OpenclHandles raw{.device = nullptr, .context = nullptr, .memory = known->memory()};
  const Functions& cl = functions();
  check(cl.clGetMemObjectInfo(raw.memory, CL_MEM_CONTEXT, sizeof(raw.context), static_cast<void*>(&raw.context), nullptr),
        "clGetMemObjectInfo");
  check(cl.clGetContextInfo(raw.context, CL_CONTEXT_DEVICES, sizeof(raw.device), static_cast<void*>(&raw.device), nullptr),
        "clGetContextInfo");
  return raw;
}

}  // namespace percycle::opencl
