// A bare OpenCL program with the launches of the experiment `launch`:
// g++ -O2 -o launch_opencl launch_opencl.cpp -lOpenCL && ./launch_opencl NVIDIA
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

static const char* kSource =
    "__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void count(__global uint *y) { atomic_add(y, 1u); }\n"
    "typedef struct { uint factor; } Parameters;\n"
    "__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void count3(__global const uint4 *x, __global uint4 *y, Parameters p)\n"
    "{ if (get_local_id(0) == 0) atomic_inc((__global uint *)y); }\n"
    "__kernel void mark(__global uint *y, uint f) { if (get_local_id(0) == 0) y[get_group_id(0)] = f + get_group_id(0); }\n";

static double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum / values.size();
}
static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}
static double event_ns(cl_event first, cl_event last) {
  cl_ulong begin = 0, end = 0;
  clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr);
  clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
  return double(end - begin);
}

int main(int argc, char** argv) {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  clGetPlatformIDs(8, platforms, &count);
  cl_device_id device = nullptr;
  for (cl_uint i = 0; i < count && device == nullptr; ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (argc > 1 && std::strstr(name, argv[1]) == nullptr) continue;
    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    std::printf("platform %s\n", name);
  }
  cl_int code = 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  cl_program program = clCreateProgramWithSource(context, 1, &kSource, nullptr, &code);
  clBuildProgram(program, 1, &device, "", nullptr, nullptr);
  // percycle's kernel has three arguments.
  cl_kernel one = clCreateKernel(program, "count", &code), three = clCreateKernel(program, "count3", &code);
  cl_kernel mark = clCreateKernel(program, "mark", &code);
  constexpr size_t kGroups = 1 << 21;
  cl_mem y = clCreateBuffer(context, CL_MEM_READ_WRITE, kGroups * 4, nullptr, &code);
  clSetKernelArg(one, 0, sizeof y, &y);
  clSetKernelArg(mark, 0, sizeof y, &y);
  const cl_uint factor = 1;
  const auto set_three = [&] {
    clSetKernelArg(three, 0, sizeof y, &y);
    clSetKernelArg(three, 1, sizeof y, &y);
    clSetKernelArg(three, 2, sizeof factor, &factor);
  };
  set_three();
  clSetKernelArg(mark, 1, sizeof factor, &factor);
  const size_t single = 1;
  for (const cl_command_queue_properties properties : {cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE), cl_command_queue_properties(0)}) {
    cl_command_queue queue = clCreateCommandQueue(context, device, properties, &code);
    const auto trip = [&](cl_kernel kernel) {
      cl_event event;
      const double begin = now_ns();
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &single, &single, 0, nullptr, &event);
      clWaitForEvents(1, &event);
      const double ns = now_ns() - begin;
      if (properties) event_ns(event, event);
      clReleaseEvent(event);
      return ns;
    };
    for (const double until = now_ns() + 5e8; now_ns() < until;) trip(one);
    // percycle also sets the arguments and asks for the times of the event between two trips.
    for (const bool sets : {false, true}) {
      std::vector<double> trips;
      for (int i = 0; i < 3000; ++i) {
        if (sets) set_three();
        trips.push_back(trip(sets ? three : one));
      }
      std::printf("%s round-trip%s %.0f ns, mean %.0f ns\n", properties ? "profiling" : "plain",
                  sets ? ", three arguments set before each," : "", median(trips), mean(trips));
    }
    for (const cl_kernel kernel : {one, three}) {
      const int launches = 4096;
      std::vector<double> host, timer;
      for (int i = 0; i < 15; ++i) {
        double all[2], span[2];
        for (const int n : {1, launches}) {
          cl_event first, last;
          const double begin = now_ns();
          clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &single, &single, 0, nullptr, &first);
          for (int j = 2; j < n; ++j) clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &single, &single, 0, nullptr, nullptr);
          last = first;
          if (n > 1) clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &single, &single, 0, nullptr, &last);
          clWaitForEvents(1, &last);
          all[n > 1] = now_ns() - begin;
          if (properties) span[n > 1] = event_ns(first, last);
          clReleaseEvent(first);
          if (n > 1) clReleaseEvent(last);
        }
        host.push_back((all[1] - all[0]) / (launches - 1));
        timer.push_back((span[1] - span[0]) / (launches - 1));
      }
      std::printf("%s dependent%s by the host %.0f ns\n", properties ? "profiling" : "plain", kernel == one ? "" : ", three arguments,", median(host));
      if (properties) std::printf("profiling dependent%s by events %.0f ns\n", kernel == one ? "" : ", three arguments,", median(timer));
    }
    if (!properties) continue;
    for (const size_t size : {32, 64, 128, 256, 512, 1024}) {
      std::vector<double> samples;
      for (int i = 0; i < 15; ++i) {
        double ns[2];
        for (const size_t groups : {size_t(1), kGroups}) {
          const size_t global = groups * size;
          cl_event event;
          clEnqueueNDRangeKernel(queue, mark, 1, nullptr, &global, &size, 0, nullptr, &event);
          clWaitForEvents(1, &event);
          ns[groups > 1] = event_ns(event, event);
          clReleaseEvent(event);
        }
        samples.push_back(kGroups / (ns[1] - ns[0]));
      }
      std::printf("groups size %zu local 0: %.4f per ns\n", size, median(samples));
    }
  }
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
  if (code != CL_SUCCESS) return 0;
  for (const cl_kernel kernel : {one, three}) {
    std::vector<double> host;
    for (int i = 0; i < 15; ++i) {
      double all[2];
      for (const int n : {1, 4096}) {
        const double begin = now_ns();
        for (int j = 0; j < n; ++j) clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &single, &single, 0, nullptr, nullptr);
        clFinish(queue);
        all[n > 1] = now_ns() - begin;
      }
      host.push_back((all[1] - all[0]) / 4095);
    }
    std::printf("independent%s by the host %.0f ns\n", kernel == one ? "" : ", three arguments,", median(host));
  }
  std::vector<double> host;
  for (int i = 0; i < 15; ++i) {
    double all[2];
    for (const int n : {1, 4096}) {
      const double begin = now_ns();
      for (int j = 0; j < n; ++j) {
        if (j > 0) clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr);
        clEnqueueNDRangeKernel(queue, three, 1, nullptr, &single, &single, 0, nullptr, nullptr);
      }
      clFinish(queue);
      all[n > 1] = now_ns() - begin;
    }
    host.push_back((all[1] - all[0]) / 4095);
  }
  std::printf("barrier, three arguments, by the host %.0f ns\n", median(host));
}
