// Work-groups started per ns by ./groups FOLDER ROUNDS. Before: groups_kernels.sh FOLDER;
// nvcc -O3 -arch=sm_90 -cubin -o FOLDER/kernels.cubin groups.cu
// g++ -O2 -I/usr/local/cuda/include -o groups groups.cpp -lvulkan -lcuda
#include <vulkan/vulkan.h>

#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#define CHECK(call)                                \
  do {                                             \
    const int status = static_cast<int>(call);     \
    if (status != 0) {                             \
      std::printf("%s: %d\n", #call, status);      \
      std::exit(1);                                \
    }                                              \
  } while (false)

static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static VkCommandBuffer commands;
static VkFence fence;
static VkQueryPool queries;
static VkPipelineLayout layout;
static VkDescriptorSetLayout set_layout;
static double period;

constexpr uint32_t kGroups = 1 << 21;
constexpr VkDeviceSize kBytes = VkDeviceSize{kGroups} * 128;

static std::vector<char> bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

static VkPipeline pipeline_of(const std::string& file) {
  const std::vector<char> code = bytes_of(file);
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = code.size();
  module_info.pCode = reinterpret_cast<const uint32_t*>(code.data());
  VkShaderModule module;
  CHECK(vkCreateShaderModule(device, &module_info, nullptr, &module));
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  VkPipeline pipeline;
  CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  return pipeline;
}

/// A buffer that CUDA imports and a set binds.
struct Memory {
  VkDeviceSize size = 0;
  VkDeviceMemory memory{};
  VkBuffer buffer{};
  VkDescriptorSet set{};
  VkDeviceAddress address = 0;
};

static Memory memory_of() {
  Memory result;
  VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &external};
  info.size = kBytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  CHECK(vkCreateBuffer(device, &info, nullptr, &result.buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, result.buffer, &needs);
  result.size = needs.size;
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(physical, &types);
  VkExportMemoryAllocateInfo exports{VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  exports.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, &exports};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
  allocate.allocationSize = needs.size;
  for (uint32_t i = types.memoryTypeCount; i-- > 0;)
    if ((needs.memoryTypeBits >> i & 1) && (types.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)) allocate.memoryTypeIndex = i;
  CHECK(vkAllocateMemory(device, &allocate, nullptr, &result.memory));
  CHECK(vkBindBufferMemory(device, result.buffer, result.memory, 0));
  VkBufferDeviceAddressInfo address{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  address.buffer = result.buffer;
  result.address = vkGetBufferDeviceAddress(device, &address);
  VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  VkDescriptorPool pool;
  CHECK(vkCreateDescriptorPool(device, &pool_info, nullptr, &pool));
  VkDescriptorSetAllocateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  set_info.descriptorPool = pool;
  set_info.descriptorSetCount = 1;
  set_info.pSetLayouts = &set_layout;
  CHECK(vkAllocateDescriptorSets(device, &set_info, &result.set));
  VkDescriptorBufferInfo range{result.buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = result.set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &range;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  return result;
}

/// Device time of what `record` puts into a command buffer.
static double vulkan_time(const std::function<void()>& record) {
  VkCommandBufferBeginInfo begin_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CHECK(vkBeginCommandBuffer(commands, &begin_info));
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  record();
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
  CHECK(vkEndCommandBuffer(commands));
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  CHECK(vkResetFences(device, 1, &fence));
  CHECK(vkQueueSubmit(queue, 1, &submit, fence));
  CHECK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
  uint64_t stamps[2];
  CHECK(vkGetQueryPoolResults(device, queries, 0, 2, sizeof stamps, stamps, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  return period * double(stamps[1] - stamps[0]);
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static void start_vulkan() {
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance_info.pApplicationInfo = &application;
  VkInstance instance;
  CHECK(vkCreateInstance(&instance_info, nullptr, &instance));
  VkPhysicalDevice all[16];
  uint32_t count = 16;
  vkEnumeratePhysicalDevices(instance, &count, all);
  physical = all[0];
  for (uint32_t i = 0; i < count; ++i) {
    VkPhysicalDeviceProperties each;
    vkGetPhysicalDeviceProperties(all[i], &each);
    if (each.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU) physical = all[i];
  }
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  period = properties.limits.timestampPeriod;
  VkQueueFamilyProperties families[16];
  count = 16;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
  uint32_t family = 0;
  for (uint32_t i = count; i-- > 0;)
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) && !(families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT)) family = i;
  std::printf("device %s, queue family %u\n", properties.deviceName, family);
  const float priority = 1;
  VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkPhysicalDeviceBufferDeviceAddressFeatures features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  features.bufferDeviceAddress = VK_TRUE;
  VkPhysicalDeviceShaderSMBuiltinsFeaturesNV units{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_FEATURES_NV};
  units.shaderSMBuiltins = VK_TRUE;
  VkPhysicalDeviceShaderClockFeaturesKHR clocks{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR};
  clocks.shaderSubgroupClock = VK_TRUE;
  clocks.pNext = &units;
  VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  core.features.shaderInt64 = VK_TRUE;
  core.pNext = &clocks;
  features.pNext = &core;
  const char* names[] = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_NVX_BINARY_IMPORT_EXTENSION_NAME, VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
                         VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME};
  VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.pNext = &features;
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
  device_info.enabledExtensionCount = std::size(names);
  device_info.ppEnabledExtensionNames = names;
  CHECK(vkCreateDevice(physical, &device_info, nullptr, &device));
  vkGetDeviceQueue(device, family, 0, &queue);
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = family;
  pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  VkCommandPool pool;
  CHECK(vkCreateCommandPool(device, &pool_info, nullptr, &pool));
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  CHECK(vkAllocateCommandBuffers(device, &allocate, &commands));
  VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  CHECK(vkCreateFence(device, &fence_info, nullptr, &fence));
  VkQueryPoolCreateInfo query_info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  query_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  query_info.queryCount = 2;
  CHECK(vkCreateQueryPool(device, &query_info, nullptr, &queries));
  VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 1;
  set_info.pBindings = &binding;
  CHECK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &set_layout));
  VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.setLayoutCount = 1;
  layout_info.pSetLayouts = &set_layout;
  const VkPushConstantRange pushed{VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &pushed;
  CHECK(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
}

/// A form of a kernel, as its name says: FORM_SIZE_LOCAL.
struct Form {
  std::string name;
  uint32_t size = 0, local = 0;
};

static Form form_of(const std::string& name) {
  const auto local = name.rfind('_'), size = name.rfind('_', local - 1);
  return {name, static_cast<uint32_t>(std::stoul(name.substr(size + 1, local - size - 1))), static_cast<uint32_t>(std::stoul(name.substr(local + 1)))};
}

/// Starts a kernel of the cubin by Vulkan.
struct Binary {
  PFN_vkCmdCuLaunchKernelNVX launch = nullptr;
  VkCuModuleNVX module{};

  explicit Binary(const std::vector<char>& cubin) {
    const auto create = reinterpret_cast<PFN_vkCreateCuModuleNVX>(vkGetDeviceProcAddr(device, "vkCreateCuModuleNVX"));
    launch = reinterpret_cast<PFN_vkCmdCuLaunchKernelNVX>(vkGetDeviceProcAddr(device, "vkCmdCuLaunchKernelNVX"));
    VkCuModuleCreateInfoNVX info{VK_STRUCTURE_TYPE_CU_MODULE_CREATE_INFO_NVX};
    info.dataSize = cubin.size();
    info.pData = cubin.data();
    CHECK(create(device, &info, nullptr, &module));
  }

  VkCuFunctionNVX function(const std::string& name) const {
    const auto create = reinterpret_cast<PFN_vkCreateCuFunctionNVX>(vkGetDeviceProcAddr(device, "vkCreateCuFunctionNVX"));
    VkCuFunctionCreateInfoNVX info{VK_STRUCTURE_TYPE_CU_FUNCTION_CREATE_INFO_NVX};
    info.module = module;
    info.pName = name.c_str();
    VkCuFunctionNVX result;
    CHECK(create(device, &info, nullptr, &result));
    return result;
  }

  double time(VkCuFunctionNVX function, uint32_t size, VkDeviceAddress y, uint32_t groups) const {
    return vulkan_time([&] {
      const uint32_t factor = 1;
      const void* parameters[] = {&y, &factor};
      VkCuLaunchInfoNVX info{VK_STRUCTURE_TYPE_CU_LAUNCH_INFO_NVX};
      info.function = function;
      info.gridDimX = groups;
      info.gridDimY = info.gridDimZ = info.blockDimY = info.blockDimZ = 1;
      info.blockDimX = size;
      info.paramCount = 2;
      info.pParams = parameters;
      launch(commands, &info);
    });
  }
};

/// Starts a kernel of the cubin by CUDA.
struct Cuda {
  CUmodule module{};
  CUstream stream{};
  CUevent begin{}, end{};

  explicit Cuda(const std::vector<char>& cubin) {
    CHECK(cuInit(0));
    CUdevice first;
    CHECK(cuDeviceGet(&first, 0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, first));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, cubin.data()));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&begin, 0));
    CHECK(cuEventCreate(&end, 0));
  }

  /// Vulkan's memory, as CUDA sees it.
  static CUdeviceptr imported(const Memory& memory) {
    const auto get = reinterpret_cast<PFN_vkGetMemoryFdKHR>(vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR"));
    VkMemoryGetFdInfoKHR info{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR};
    info.memory = memory.memory;
    info.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC handle{};
    handle.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    handle.size = memory.size;
    CHECK(get(device, &info, &handle.handle.fd));
    CUexternalMemory external;
    CHECK(cuImportExternalMemory(&external, &handle));
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC buffer{};
    buffer.size = kBytes;
    CUdeviceptr result;
    CHECK(cuExternalMemoryGetMappedBuffer(&result, external, &buffer));
    return result;
  }

  /// Asks for `kib` of local memory in a unit, or leaves it to the driver (0).
  CUfunction function(const std::string& name, int kib) const {
    CUfunction result;
    CHECK(cuModuleGetFunction(&result, module, name.c_str()));
    CHECK(cuFuncSetAttribute(result, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, kib == 0 ? -1 : 100 * kib / 228));
    return result;
  }

  double time(CUfunction function, uint32_t size, CUdeviceptr y, uint32_t groups) const {
    uint32_t factor = 1;
    void* parameters[] = {&y, &factor};
    CHECK(cuEventRecord(begin, stream));
    CHECK(cuLaunchKernel(function, groups, 1, 1, size, 1, 1, 0, stream, parameters, nullptr));
    CHECK(cuEventRecord(end, stream));
    CHECK(cuEventSynchronize(end));
    float ms = 0;
    CHECK(cuEventElapsedTime(&ms, begin, end));
    return 1e6 * double(ms);
  }
};

/// Prints the work-groups started per ns beyond a launch of one, and the most of them in a unit for
/// kernels that count them. `time` measures a launch of so many groups in ns.
static void measure(const std::string& way, const std::string& form, CUdeviceptr words, const std::function<double(uint32_t)>& time) {
  if (form.find("resident") == 0) {
    std::vector<uint32_t> units(512);
    CHECK(cuMemcpyHtoD(words, units.data(), 2048));
    time(kGroups / 64);
    CHECK(cuMemcpyDtoH(units.data(), words, 2048));
    std::printf("%-8s %-20s %u in a unit\n", way.c_str(), form.c_str(), *std::max_element(units.begin() + 256, units.end()));
    return;
  }
  std::vector<double> samples;
  for (int i = 0; i < 9; ++i) {
    const double one = time(1);
    samples.push_back(kGroups / (time(kGroups) - one));
  }
  std::printf("%-8s %-20s %.4f\n", way.c_str(), form.c_str(), median(samples));
  std::fflush(stdout);
}

// Ways of starting: "Vulkan" runs kernels of groups_kernels.sh, "CUDA" and "binary" the machine
// code of groups.cu, started by CUDA or by Vulkan. "CUDA64" asks for 64 KiB of local memory in a
// unit. All use one allocation of Vulkan, which CUDA imports; "own" uses CUDA's.
int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: FOLDER ROUNDS\n"), 2;
  const std::string folder = argv[1];
  start_vulkan();
  const Memory memory = memory_of();
  std::vector<Form> forms;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".spv") forms.push_back(form_of(entry.path().stem()));
  std::sort(forms.begin(), forms.end(), [](const Form& a, const Form& b) { return a.name < b.name; });
  std::vector<VkPipeline> pipelines;
  for (const Form& form : forms) pipelines.push_back(pipeline_of(folder + "/" + form.name + ".spv"));
  const std::vector<char> cubin = bytes_of(folder + "/kernels.cubin");
  const Binary binary(cubin);
  const Cuda cuda(cubin);
  const CUdeviceptr imported = Cuda::imported(memory);
  CUdeviceptr own;
  CHECK(cuMemAlloc(&own, kBytes));

  const auto shader_time = [&](VkPipeline pipeline, uint32_t groups) {
    return vulkan_time([&] {
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &memory.set, 0, nullptr);
      uint32_t pushed[4] = {1, 0};
      std::memcpy(pushed + 2, &memory.address, 8);
      vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof pushed, pushed);
      vkCmdDispatch(commands, groups, 1, 1);
    });
  };
  for (int i = 0; i < 300; ++i) shader_time(pipelines[0], kGroups);
  for (int round = 0; round < std::atoi(argv[2]); ++round) {
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const Form& form = forms[i];
      measure("Vulkan", form.name, imported, [&](uint32_t groups) { return shader_time(pipelines[i], groups); });
      if (form.name.find("bounded") == 0) continue;  // only for Vulkan
      const VkCuFunctionNVX function = binary.function(form.name);
      measure("binary", form.name, imported, [&](uint32_t groups) { return binary.time(function, form.size, memory.address, groups); });
      for (const int kib : {0, 64, 100}) {
        if (kib != 0 && form.local == 0) continue;
        const CUfunction started = cuda.function(form.name, kib);
        measure(kib == 0 ? "CUDA" : "CUDA" + std::to_string(kib), form.name, imported,
                [&](uint32_t groups) { return cuda.time(started, form.size, imported, groups); });
      }
      if (form.name.find("mark") == 0)
        measure("own", form.name, imported, [&](uint32_t groups) { return cuda.time(cuda.function(form.name, 0), form.size, own, groups); });
    }
  }
}
