// An OpenCL loader whose devices have another maker and name: CPU_VENDOR, CPU_VENDOR_ID, CPU_NAME;
// with CPU_IS_GPU they are GPUs. It forwards to libOpenCL.so.9.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static cl_int answer(const void* text, size_t bytes, size_t room, void* to, size_t* needed) {
  if (needed) *needed = bytes;
  if (!to) return CL_SUCCESS;
  if (room < bytes) return CL_INVALID_VALUE;
  memcpy(to, text, bytes);
  return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t room, void* to, size_t* needed) {
  static cl_int (*real)(cl_device_id, cl_device_info, size_t, void*, size_t*);
  if (!real) *(void**)&real = dlsym(dlopen("libOpenCL.so.9", RTLD_NOW | RTLD_LOCAL), "clGetDeviceInfo");
  const char* vendor = getenv("CPU_VENDOR");
  const char* model = getenv("CPU_NAME");
  const cl_uint id = (cl_uint)strtoul(getenv("CPU_VENDOR_ID"), NULL, 0);
  if (name == CL_DEVICE_VENDOR) return answer(vendor, strlen(vendor) + 1, room, to, needed);
  if (name == CL_DEVICE_NAME) return answer(model, strlen(model) + 1, room, to, needed);
  if (name == CL_DEVICE_VENDOR_ID) return answer(&id, sizeof id, room, to, needed);
  const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
  if (name == CL_DEVICE_TYPE && getenv("CPU_IS_GPU")) return answer(&gpu, sizeof gpu, room, to, needed);
  return real(device, name, room, to, needed);
}
