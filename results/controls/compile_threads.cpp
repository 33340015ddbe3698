// How much faster NVIDIA's OpenCL driver builds programs on several threads, after
// g++ -O1 -o compile_threads compile_threads.cpp -lOpenCL -lpthread:
// CUDA_CACHE_DISABLE=1 ./compile_threads PROGRAM.cl... (of `percycle kernels --api opencl --out`).
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  clGetPlatformIDs(8, platforms, &count);
  cl_platform_id platform = platforms[0];
  for (cl_uint i = 0; i < count; ++i) {
    char name[200];
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (std::strstr(name, "NVIDIA")) platform = platforms[i];
  }
  cl_device_id device;
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  cl_int error;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  std::vector<std::string> sources;
  for (int i = 1; i < argc; ++i) {
    std::stringstream text;
    text << std::ifstream(argv[i]).rdbuf();
    sources.push_back(text.str());
  }
  int round = 0;
  for (const int threads : {1, 2, 4, 8, 16, 1}) {
    ++round;  // in the source, so that no cache has the program
    std::atomic<std::size_t> next{0};
    std::atomic<int> failed{0};
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&] {
        for (std::size_t i; (i = next++) < sources.size();) {
          const std::string source = "#define ROUND " + std::to_string(round) + "\n" + sources[i];
          const char* text = source.c_str();
          cl_int code;
          const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
          if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", nullptr, nullptr) != CL_SUCCESS) ++failed;
          clReleaseProgram(program);
        }
      });
    }
    for (auto& each : all) each.join();
    std::printf("%d threads: %.2f s for %zu programs, %d failed\n", threads,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), sources.size(), failed.load());
  }
}
