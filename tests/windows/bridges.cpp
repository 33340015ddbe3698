// Prints what the loaders and drivers of both APIs offer to a program, a line each. Linux's lines
// that are missing under Wine are what its OpenCL.dll and vulkan-1.dll cannot do.
#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "device/opencl/headers.hpp"
#include "platform/library.hpp"

namespace {

using percycle::Library;

void print_opencl() {
  const Library loader = Library::opencl_loader();
  decltype(&clGetPlatformIDs) platform_ids = nullptr;
  decltype(&clGetDeviceIDs) device_ids = nullptr;
  decltype(&clGetDeviceInfo) device_info = nullptr;
  if (!loader.is_open() || !loader.find("clGetPlatformIDs", platform_ids) || !loader.find("clGetDeviceIDs", device_ids) ||
      !loader.find("clGetDeviceInfo", device_info))
    return;
  void* function = nullptr;
  // From OpenCL 1.2, 2.0, 2.1 and 3.0, and the way to functions of extensions.
  for (const char* name :
       {"clSetKernelArg", "clCreateCommandQueueWithProperties", "clSVMAlloc", "clGetKernelSubGroupInfo",
        "clGetDeviceAndHostTimer", "clCreateBufferWithProperties", "clGetExtensionFunctionAddressForPlatform"}) {
    if (loader.find(name, function)) std::printf("OpenCL: %s\n", name);
  }
  std::vector<cl_platform_id> platforms(16);
  cl_uint count = 0;
  if (platform_ids(static_cast<cl_uint>(platforms.size()), platforms.data(), &count) != CL_SUCCESS) return;
  platforms.resize(count < platforms.size() ? count : platforms.size());
  for (cl_platform_id platform : platforms) {
    cl_device_id device = nullptr;
    if (device_ids(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) continue;
    const auto text = [&](cl_device_info query) {
      std::string answer(16384, '\0');
      std::size_t size = 0;
      if (device_info(device, query, answer.size(), answer.data(), &size) != CL_SUCCESS || size == 0) return std::string();
      return answer.substr(0, size - 1);
    };
    std::printf("OpenCL: a device\n");
    std::istringstream extensions(text(CL_DEVICE_EXTENSIONS));
    for (std::string name; extensions >> name;) std::printf("OpenCL: %s\n", name.c_str());
  }
}

void print_vulkan() {
  const Library loader{"vulkan-1.dll", "libvulkan.so.1"};
  PFN_vkGetInstanceProcAddr address = nullptr;
  if (!loader.is_open() || !loader.find("vkGetInstanceProcAddr", address)) return;
  std::printf("Vulkan: a loader\n");
  VkInstance instance = nullptr;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address(instance, name));
    return function != nullptr;
  };
  PFN_vkCreateInstance create = nullptr;
  if (!find("vkCreateInstance", create)) return;
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo wanted{};
  wanted.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  wanted.pApplicationInfo = &application;
  if (create(&wanted, nullptr, &instance) != VK_SUCCESS) return;
  std::printf("Vulkan: an instance\n");
  PFN_vkEnumeratePhysicalDevices enumerate = nullptr;
  PFN_vkEnumerateDeviceExtensionProperties extensions_of = nullptr;
  PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT domains_of = nullptr;
  if (!find("vkEnumeratePhysicalDevices", enumerate) || !find("vkEnumerateDeviceExtensionProperties", extensions_of)) return;
  find("vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", domains_of);
  std::vector<VkPhysicalDevice> devices(16);
  std::uint32_t count = static_cast<std::uint32_t>(devices.size());
  if (enumerate(instance, &count, devices.data()) != VK_SUCCESS) return;
  devices.resize(count);
  for (VkPhysicalDevice device : devices) {
    std::printf("Vulkan: a device\n");
    std::vector<VkExtensionProperties> extensions(1024);
    count = static_cast<std::uint32_t>(extensions.size());
    if (extensions_of(device, nullptr, &count, extensions.data()) != VK_SUCCESS) continue;
    for (std::uint32_t i = 0; i < count; ++i) std::printf("Vulkan: %s\n", extensions[i].extensionName);
    std::vector<VkTimeDomainEXT> domains(16);
    count = static_cast<std::uint32_t>(domains.size());
    if (domains_of == nullptr || domains_of(device, &count, domains.data()) != VK_SUCCESS) continue;
    for (std::uint32_t i = 0; i < count; ++i) std::printf("Vulkan: time domain %d\n", static_cast<int>(domains[i]));
  }
}

}  // namespace

int main() {
  print_opencl();
  print_vulkan();
}
