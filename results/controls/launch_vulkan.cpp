// The launches of `launch` in bare Vulkan: FAMILY ROUNDS COUNT.spv PUSH.spv MARK.spv... (FAMILY: a
// queue family; kernels by launch_kernels.sh). STAMP=STAMP.spv in the environment adds
// the parts of a round trip. g++ -O2 -o launch_vulkan launch_vulkan.cpp -lvulkan
#include <vulkan/vulkan.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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
#define CHECK(call)                                          \
  do {                                                       \
    const VkResult result = (call);                          \
    if (result != VK_SUCCESS) {                              \
      std::printf("%s: %d\n", #call, static_cast<int>(result)); \
      std::exit(1);                                          \
    }                                                        \
  } while (false)

static VkDevice device;
static VkQueue queue;
static VkCommandBuffer commands, reset_commands, pool_commands;
static VkCommandPool whole_pool;
static bool full_barriers = false, resets_pool = false, plain = false;
static bool execution_only = false;  // barriers between launches
static bool indirect = false;        // the device reads the number of work-groups from its memory
static VkFence fence;
static VkQueryPool queries;
static VkPipelineLayout layout;
static VkBuffer buffer;
constexpr uint32_t kGroups = 1 << 21;  // a word for each, then the numbers for indirect launches
static VkDescriptorSet set;
static double period;

static VkPipeline pipeline_of(const char* file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> code((std::istreambuf_iterator<char>(in)), {});
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

struct Times {
  double host = 0, timer = 0;
  double begin = 0;  ///< the host's clock
};

/// Writes the numbers of work-groups of an indirect launch.
static void write_numbers() {
  const VkCommandBufferBeginInfo begin_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CHECK(vkBeginCommandBuffer(reset_commands, &begin_info));
  vkCmdFillBuffer(reset_commands, buffer, kGroups * 4, 12, 1);
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
  vkCmdPipelineBarrier(reset_commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  CHECK(vkEndCommandBuffer(reset_commands));
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &reset_commands;
  CHECK(vkResetFences(device, 1, &fence));
  CHECK(vkQueueSubmit(queue, 1, &submit, fence));
  CHECK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
}

/// As percycle's submitter records it before and after its work.
static void full_barrier() {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask =
      VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

/// `launches` of `groups` work-groups in one command buffer, with or without barriers between them.
static Times run(VkPipeline pipeline, uint32_t groups, int launches, bool barriers) {
  VkCommandBufferBeginInfo begin_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  commands = resets_pool ? pool_commands : reset_commands;
  if (resets_pool) {
    CHECK(vkResetCommandPool(device, whole_pool, 0));
    begin_info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  }
  CHECK(vkBeginCommandBuffer(commands, &begin_info));
  if (!plain) vkCmdResetQueryPool(commands, queries, 0, 2);
  if (full_barriers) full_barrier();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  const uint32_t one = 1;
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof one, &one);
  if (!plain) vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  for (int i = 0; i < launches; ++i) {
    if ((i > 0 || plain) && barriers)
      vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, execution_only ? 0 : 1, &barrier, 0, nullptr, 0, nullptr);
    if (indirect) {
      vkCmdDispatchIndirect(commands, buffer, kGroups * 4);
    } else {
      vkCmdDispatch(commands, groups, 1, 1);
    }
  }
  if (!plain) vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, queries, 1);
  if (full_barriers) full_barrier();
  CHECK(vkEndCommandBuffer(commands));
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  CHECK(vkResetFences(device, 1, &fence));
  Times times;
  times.begin = now_ns();
  CHECK(vkQueueSubmit(queue, 1, &submit, fence));
  CHECK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
  times.host = now_ns() - times.begin;
  if (plain) return times;
  uint64_t stamps[2];
  CHECK(vkGetQueryPoolResults(device, queries, 0, 2, sizeof stamps, stamps, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  times.timer = period * double(stamps[1] - stamps[0]);
  return times;
}

/// Time of one launch: many launches less a single one.
static double per_launch(VkPipeline pipeline, int launches, bool barriers) {
  std::vector<double> samples;
  for (int i = 0; i < 15; ++i)
    samples.push_back((run(pipeline, 1, launches, barriers).timer - run(pipeline, 1, 1, barriers).timer) / (launches - 1));
  return median(samples);
}

/// Round trips with the kernel's clock at its first and last instruction, which the driver relates
/// to the host's after each of them.
static void print_parts(VkPipeline stamp, const void* mapped) {
  const auto calibrate =
      reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(vkGetDeviceProcAddr(device, "vkGetCalibratedTimestampsEXT"));
  VkCalibratedTimestampInfoEXT domains[2]{{VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT}, {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT}};
  domains[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
  domains[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  std::vector<double> first, last, trips;
  for (int i = 0; i < 1000; ++i) {
    const Times times = run(stamp, 1, 1, true);
    uint64_t clocks[2], stamps[2], deviation;
    CHECK(calibrate(device, 2, domains, clocks, &deviation));
    std::memcpy(stamps, static_cast<const char*>(mapped) + 8, sizeof stamps);
    const auto host = [&](uint64_t ticks) { return double(clocks[1]) + period * double(int64_t(ticks - clocks[0])); };
    first.push_back(host(stamps[0]) - times.begin);
    last.push_back(times.begin + times.host - host(stamps[1]));
    trips.push_back(times.host);
  }
  std::printf("parts: first-instruction %.0f ns, mean %.0f ns; last-instruction %.0f ns, mean %.0f ns; round-trip %.0f ns, mean %.0f ns\n",
              median(first), mean(first), median(last), mean(last), median(trips), mean(trips));
}

int main(int argc, char** argv) {
  if (argc < 5) return std::fprintf(stderr, "usage: FAMILY ROUNDS COUNT.spv PUSH.spv MARK.spv...\n"), 2;
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance_info.pApplicationInfo = &application;
  VkInstance instance;
  CHECK(vkCreateInstance(&instance_info, nullptr, &instance));
  VkPhysicalDevice all[16];
  uint32_t count = 16;
  vkEnumeratePhysicalDevices(instance, &count, all);
  VkPhysicalDevice physical = all[0];
  for (uint32_t i = 0; i < count; ++i) {
    VkPhysicalDeviceProperties each;
    vkGetPhysicalDeviceProperties(all[i], &each);
    if (each.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU) physical = all[i];
  }
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  period = properties.limits.timestampPeriod;
  std::printf("device %s\n", properties.deviceName);
  const float priority = 1;
  const auto family = static_cast<uint32_t>(std::atoi(argv[1]));
  VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  const char* stamp_file = std::getenv("STAMP");
  VkPhysicalDeviceShaderClockFeaturesKHR clock{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR};
  clock.shaderDeviceClock = VK_TRUE;
  const char* extensions[2]{"VK_KHR_shader_clock", "VK_EXT_calibrated_timestamps"};
  VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  VkPhysicalDeviceFeatures wide{};
  wide.shaderInt64 = VK_TRUE;
  if (stamp_file != nullptr) {
    device_info.pNext = &clock;
    device_info.pEnabledFeatures = &wide;
    device_info.enabledExtensionCount = 2;
    device_info.ppEnabledExtensionNames = extensions;
  }
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
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
  CHECK(vkAllocateCommandBuffers(device, &allocate, &reset_commands));
  pool_info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  CHECK(vkCreateCommandPool(device, &pool_info, nullptr, &whole_pool));
  allocate.commandPool = whole_pool;
  CHECK(vkAllocateCommandBuffers(device, &allocate, &pool_commands));
  VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  CHECK(vkCreateFence(device, &fence_info, nullptr, &fence));
  VkQueryPoolCreateInfo query_info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  query_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  query_info.queryCount = 2;
  CHECK(vkCreateQueryPool(device, &query_info, nullptr, &queries));

  VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer_info.size = kGroups * 4 + 16;
  buffer_info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  CHECK(vkCreateBuffer(device, &buffer_info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkPhysicalDeviceMemoryProperties memory_properties;
  vkGetPhysicalDeviceMemoryProperties(physical, &memory_properties);
  VkMemoryAllocateInfo memory_info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  memory_info.allocationSize = needs.size;
  for (uint32_t i = memory_properties.memoryTypeCount; i-- > 0;) {
    const bool local = memory_properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    if ((needs.memoryTypeBits >> i & 1) && local) memory_info.memoryTypeIndex = i;
  }
  VkDeviceMemory memory;
  CHECK(vkAllocateMemory(device, &memory_info, nullptr, &memory));
  CHECK(vkBindBufferMemory(device, buffer, memory, 0));
  VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 1;
  set_info.pBindings = &binding;
  VkDescriptorSetLayout set_layout;
  CHECK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &set_layout));
  VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.setLayoutCount = 1;
  layout_info.pSetLayouts = &set_layout;
  const VkPushConstantRange pushed{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &pushed;
  CHECK(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
  VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo descriptor_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  descriptor_info.maxSets = 1;
  descriptor_info.poolSizeCount = 1;
  descriptor_info.pPoolSizes = &size;
  VkDescriptorPool descriptors;
  CHECK(vkCreateDescriptorPool(device, &descriptor_info, nullptr, &descriptors));
  VkDescriptorSetAllocateInfo set_allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  set_allocate.descriptorPool = descriptors;
  set_allocate.descriptorSetCount = 1;
  set_allocate.pSetLayouts = &set_layout;
  CHECK(vkAllocateDescriptorSets(device, &set_allocate, &set));
  VkDescriptorBufferInfo range{buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &range;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  write_numbers();

  const VkPipeline counter = pipeline_of(argv[3]);
  const VkPipeline pushing = pipeline_of(argv[4]);
  for (const double until = now_ns() + 5e8; now_ns() < until;) run(counter, 1, 1, true);
  for (int round = 0; round < std::atoi(argv[2]); ++round) {
    for (int form = 0; form < 8; ++form) {
      full_barriers = form & 1;
      resets_pool = form & 2;
      const VkPipeline pipeline = form & 4 ? pushing : counter;
      std::vector<double> trips;
      for (int i = 0; i < 1000; ++i) trips.push_back(run(pipeline, 1, 1, true).host);
      std::sort(trips.begin(), trips.end());
      std::printf("%s%s%s: round-trip %.0f ns (%.0f to %.0f, mean %.0f), dependent %.0f ns\n", full_barriers ? "full barriers" : "no barriers",
                  resets_pool ? ", pool reset" : "", form & 4 ? ", push constant" : "", median(trips), trips[trips.size() / 10],
                  trips[trips.size() * 9 / 10], mean(trips), per_launch(pipeline, 4096, true));
    }
  }
  full_barriers = false;
  resets_pool = plain = true;  // as percycle's round trips
  std::vector<double> trips;
  for (int i = 0; i < 3000; ++i) trips.push_back(run(counter, 1, 1, true).host);
  std::printf("plain: round-trip %.0f ns, mean %.0f ns\n", median(trips), mean(trips));
  resets_pool = plain = false;
  execution_only = true;
  std::printf("dependent by barriers without memory %.0f ns\n", per_launch(counter, 4096, true));
  execution_only = false;
  std::printf("independent %.0f ns\n", per_launch(counter, 4096, false));
  indirect = true;
  std::printf("indirect %.0f ns\n", per_launch(counter, 4096, true));
  indirect = false;
  const uint32_t groups = std::min(kGroups, properties.limits.maxComputeWorkGroupCount[0]);
  for (int i = 5; i < argc; ++i) {
    const VkPipeline marks = pipeline_of(argv[i]);
    std::vector<double> samples;
    for (int j = 0; j < 15; ++j) samples.push_back(groups / (run(marks, groups, 1, true).timer - run(marks, 1, 1, true).timer));
    std::printf("groups %s: %.4f per ns\n", argv[i], median(samples));
  }
  if (stamp_file == nullptr) return 0;
  // The stamps lie in memory that the host can read, in the device's if there is any.
  buffer_info.size = 256;
  VkBuffer stamps;
  CHECK(vkCreateBuffer(device, &buffer_info, nullptr, &stamps));
  vkGetBufferMemoryRequirements(device, stamps, &needs);
  memory_info.allocationSize = needs.size;
  constexpr VkMemoryPropertyFlags kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t i = memory_properties.memoryTypeCount; i-- > 0;) {
    const auto flags = memory_properties.memoryTypes[i].propertyFlags;
    if ((needs.memoryTypeBits >> i & 1) && (flags & kHost) == kHost) memory_info.memoryTypeIndex = i;
  }
  for (uint32_t i = memory_properties.memoryTypeCount; i-- > 0;) {
    const auto flags = memory_properties.memoryTypes[i].propertyFlags;
    if ((needs.memoryTypeBits >> i & 1) && (flags & kHost) == kHost && (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)) memory_info.memoryTypeIndex = i;
  }
  VkDeviceMemory host_memory;
  CHECK(vkAllocateMemory(device, &memory_info, nullptr, &host_memory));
  CHECK(vkBindBufferMemory(device, stamps, host_memory, 0));
  void* mapped = nullptr;
  CHECK(vkMapMemory(device, host_memory, 0, VK_WHOLE_SIZE, 0, &mapped));
  range = {stamps, 0, VK_WHOLE_SIZE};
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  resets_pool = plain = true;
  print_parts(pipeline_of(stamp_file), mapped);
}
