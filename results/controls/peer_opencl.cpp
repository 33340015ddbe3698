// A bare OpenCL program: copies from one device of a platform to the next one, in one context.
// g++ -std=c++20 -O2 -o peer_opencl peer_opencl.cpp -lOpenCL && ./peer_opencl NVIDIA
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                            \
  do {                                                         \
    const cl_int error = (call);                               \
    if (error != CL_SUCCESS) {                                 \
      std::printf("%s: %d\n", #call, static_cast<int>(error)); \
      std::exit(1);                                            \
    }                                                          \
  } while (false)

static const char* kSource =
    "uint word(uint i, uint seed) { uint x = (i + seed) * 2654435761u; x ^= x >> 15; return x * 2246822519u; }\n"
    "__kernel void fill(__global uint *y, uint seed) { uint i = get_global_id(0); y[i] = word(i, seed); }\n"
    "__kernel void check(__global const uint *y, uint seed, __global uint *wrong) {\n"
    "  uint i = get_global_id(0); if (y[i] != word(i, seed)) atomic_inc(wrong); }\n"
    "__kernel void sum(__global const uint4 *y, uint count, __global uint *out) {\n"
    "  uint4 s = 0; for (uint i = get_global_id(0); i < count; i += get_global_size(0)) s += y[i];\n"
    "  if (s.x + s.y + s.z + s.w == 0x12345678u) *out = 1; }\n";

static double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Times {
  double event = 0, host = 0;
};

/// Enqueues by `enqueue(cl_event*)` and waits.
template <typename Enqueue>
static Times timed(const Enqueue& enqueue) {
  cl_event event;
  const double begin = now_ns();
  CHECK(enqueue(&event));
  CHECK(clWaitForEvents(1, &event));
  Times times;
  times.host = now_ns() - begin;
  cl_ulong from = 0, to = 0;
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, nullptr);
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, nullptr);
  times.event = double(to) - double(from);
  clReleaseEvent(event);
  return times;
}

struct Side {
  cl_device_id device = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem scratch = nullptr;  // a word
};

static cl_context context;
static cl_kernel fill_kernel, check_kernel, sum_kernel;

static void fill(const Side& side, cl_mem memory, size_t bytes, cl_uint seed) {
  const size_t global = bytes / 4;
  CHECK(clSetKernelArg(fill_kernel, 0, sizeof memory, &memory));
  CHECK(clSetKernelArg(fill_kernel, 1, sizeof seed, &seed));
  CHECK(clEnqueueNDRangeKernel(side.queue, fill_kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  CHECK(clFinish(side.queue));
}

static cl_uint wrong_words(const Side& side, cl_mem memory, size_t bytes, cl_uint seed) {
  const size_t global = bytes / 4;
  cl_uint wrong = 0;
  CHECK(clEnqueueWriteBuffer(side.queue, side.scratch, CL_TRUE, 0, 4, &wrong, 0, nullptr, nullptr));
  CHECK(clSetKernelArg(check_kernel, 0, sizeof memory, &memory));
  CHECK(clSetKernelArg(check_kernel, 1, sizeof seed, &seed));
  CHECK(clSetKernelArg(check_kernel, 2, sizeof side.scratch, &side.scratch));
  CHECK(clEnqueueNDRangeKernel(side.queue, check_kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  CHECK(clEnqueueReadBuffer(side.queue, side.scratch, CL_TRUE, 0, 4, &wrong, 0, nullptr, nullptr));
  return wrong;
}

static Times read_by_kernel(const Side& side, cl_mem memory, size_t bytes) {
  const cl_uint count = static_cast<cl_uint>(bytes / 16);
  const size_t local = 256, global = std::min<size_t>(std::max<size_t>(count, local), 2048 * local);
  CHECK(clSetKernelArg(sum_kernel, 0, sizeof memory, &memory));
  CHECK(clSetKernelArg(sum_kernel, 1, sizeof count, &count));
  CHECK(clSetKernelArg(sum_kernel, 2, sizeof side.scratch, &side.scratch));
  return timed([&](cl_event* event) {
    return clEnqueueNDRangeKernel(side.queue, sum_kernel, 1, nullptr, &global, &local, 0, nullptr, event);
  });
}

static cl_mem buffer(size_t bytes) {
  cl_int code = 0;
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  CHECK(code);
  return memory;
}

enum class Way { copy_by_source, copy_by_target, migrate, kernel_only };

static const char* text(Way way) {
  return way == Way::copy_by_source   ? "clEnqueueCopyBuffer, source's queue"
         : way == Way::copy_by_target ? "clEnqueueCopyBuffer, target's queue"
         : way == Way::migrate        ? "clEnqueueMigrateMemObjects, target's queue"
                                      : "nothing but the target's kernel";
}

/// One way from `from` to `to`. The source writes before each copy, so that the bytes must move.
static void measure(Way way, const Side& from, const Side& to, size_t bytes) {
  cl_mem source = buffer(bytes), second = buffer(bytes);
  const bool copies = way == Way::copy_by_source || way == Way::copy_by_target;
  const cl_mem target = copies ? second : source;
  const Side& by = way == Way::copy_by_source ? from : to;
  std::vector<double> event, host, first_event, first_host, again_event, again_host;
  cl_uint wrong = 0;
  const auto copy = [&] {
    return timed([&](cl_event* each) { return clEnqueueCopyBuffer(by.queue, source, second, 0, 0, bytes, 0, nullptr, each); });
  };
  for (cl_uint i = 0; i < 8; ++i) {
    fill(to, second, bytes, 77 + i);
    fill(from, source, bytes, i);
    Times times;
    if (copies) times = copy();
    if (way == Way::migrate)
      times = timed([&](cl_event* each) { return clEnqueueMigrateMemObjects(to.queue, 1, &source, 0, 0, nullptr, each); });
    const Times first = read_by_kernel(to, target, bytes), again = read_by_kernel(to, target, bytes);
    wrong += wrong_words(to, target, bytes, i);
    if (i == 0) continue;
    event.push_back(times.event), host.push_back(times.host);
    first_event.push_back(first.event), first_host.push_back(first.host);
    again_event.push_back(again.event), again_host.push_back(again.host);
  }
  std::printf("%9zu B, %s: event %.0f, host %.0f ns (%.2f GB/s by host); then target's kernel first: event %.0f, host %.0f ns; "
              "again: event %.0f, host %.0f ns; %u wrong\n",
              bytes, text(way), median(event), median(host), double(bytes) / std::max(1.0, median(host)), median(first_event),
              median(first_host), median(again_event), median(again_host), wrong);
  if (copies) {  // without a write between two copies
    std::vector<double> row;
    fill(to, second, bytes, 77);
    fill(from, source, bytes, 5);
    for (int i = 0; i < 5; ++i) row.push_back(copy().host);
    std::printf("             five copies in a row, host: %.0f %.0f %.0f %.0f %.0f ns; %u wrong\n", row[0], row[1], row[2], row[3], row[4],
                wrong_words(to, second, bytes, 5));
    const int many = 16;  // enqueued together
    fill(to, second, bytes, 77);
    fill(from, source, bytes, 6);
    const double begin = now_ns();
    for (int i = 0; i < many; ++i) CHECK(clEnqueueCopyBuffer(by.queue, source, second, 0, 0, bytes, 0, nullptr, nullptr));
    CHECK(clFinish(by.queue));
    std::printf("             16 copies enqueued together, host: %.0f ns per copy; %u wrong\n", (now_ns() - begin) / many,
                wrong_words(to, second, bytes, 6));
  }
  clReleaseMemObject(source);
  clReleaseMemObject(second);
}

int main(int argc, char** argv) {
  cl_platform_id platforms[8];
  cl_uint platform_count = 0, count = 0;
  CHECK(clGetPlatformIDs(8, platforms, &platform_count));
  cl_device_id devices[16];
  for (cl_uint i = 0; i < platform_count; ++i) {
    char text[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof text, text, nullptr);
    cl_uint here = 0;
    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, nullptr, &here);
    std::printf("platform %s: %u devices\n", text, here);
    if (here < 2 || count > 0 || (argc > 1 && std::strstr(text, argv[1]) == nullptr)) continue;
    CHECK(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices, &count));
  }
  if (count < 2) return 1;
  for (cl_uint i = 0; i < count; ++i) {
    char text[256] = "";
    clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof text, text, nullptr);
    cl_uint bus = 0;
    clGetDeviceInfo(devices[i], 0x4008, sizeof bus, &bus, nullptr);  // CL_DEVICE_PCI_BUS_ID_NV
    std::printf("device %u: %s, bus 0x%x\n", i, text, bus);
  }
  cl_int code = 0;
  context = clCreateContext(nullptr, 2, devices, nullptr, nullptr, &code);
  std::printf("context with both devices: %d\n", code);
  if (code != CL_SUCCESS) return 1;
  Side sides[2];
  for (int i = 0; i < 2; ++i) {
    sides[i].device = devices[i];
    sides[i].queue = clCreateCommandQueue(context, devices[i], CL_QUEUE_PROFILING_ENABLE, &code);
    CHECK(code);
    sides[i].scratch = buffer(4);
  }
  cl_program program = clCreateProgramWithSource(context, 1, &kSource, nullptr, &code);
  CHECK(clBuildProgram(program, 2, devices, "", nullptr, nullptr));
  fill_kernel = clCreateKernel(program, "fill", &code);
  check_kernel = clCreateKernel(program, "check", &code);
  sum_kernel = clCreateKernel(program, "sum", &code);
  CHECK(code);
  for (int i = 0; i < 2; ++i) {  // a buffer of one device, for comparison
    cl_mem alone = buffer(256 << 20);
    fill(sides[i], alone, 256 << 20, 1);
    read_by_kernel(sides[i], alone, 256 << 20);
    const Times times = read_by_kernel(sides[i], alone, 256 << 20);
    std::printf("device %d reads 256 MiB of its memory: event %.0f ns, %.0f GB/s\n", i, times.event, double(256 << 20) / times.event);
    clReleaseMemObject(alone);
  }
  for (const size_t bytes : {4ul << 10, 64ul << 10, 1ul << 20, 16ul << 20, 64ul << 20, 256ul << 20}) {
    for (const Way way : {Way::copy_by_source, Way::copy_by_target, Way::migrate, Way::kernel_only})
      measure(way, sides[0], sides[1], bytes);
  }
  std::printf("back, from device 1 to device 0:\n");
  for (const Way way : {Way::copy_by_source, Way::copy_by_target, Way::migrate}) measure(way, sides[1], sides[0], 64 << 20);
}
