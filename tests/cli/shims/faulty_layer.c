// An implicit Vulkan layer with the fault in LAYER_FAULT: instance_abort, instance_error,
// instance_hang, devices_none, device_abort, device_error; it does nothing else.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr next_instance_lookup;
static PFN_vkGetDeviceProcAddr next_device_lookup;
static VkInstance the_instance;

static int is(const char* fault) {
  const char* wanted = getenv("LAYER_FAULT");
  return wanted && strcmp(wanted, fault) == 0;
}

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator, VkInstance* instance) {
  if (is("instance_abort")) abort();
  if (is("instance_error")) return VK_ERROR_INITIALIZATION_FAILED;
  while (is("instance_hang")) pause();
  VkLayerInstanceCreateInfo* chain = (VkLayerInstanceCreateInfo*)info->pNext;
  while (chain->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || chain->function != VK_LAYER_LINK_INFO)
    chain = (VkLayerInstanceCreateInfo*)chain->pNext;
  next_instance_lookup = chain->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  chain->u.pLayerInfo = chain->u.pLayerInfo->pNext;
  const VkResult result = ((PFN_vkCreateInstance)next_instance_lookup(NULL, "vkCreateInstance"))(info, allocator, instance);
  the_instance = *instance;
  return result;
}

static VkResult VKAPI_CALL list_devices(VkInstance instance, uint32_t* count, VkPhysicalDevice* devices) {
  if (!is("devices_none")) return ((PFN_vkEnumeratePhysicalDevices)next_instance_lookup(instance, "vkEnumeratePhysicalDevices"))(instance, count, devices);
  *count = 0;
  return VK_SUCCESS;
}

static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info, const VkAllocationCallbacks* allocator, VkDevice* device) {
  if (is("device_abort")) abort();
  if (is("device_error")) return VK_ERROR_INITIALIZATION_FAILED;
  VkLayerDeviceCreateInfo* chain = (VkLayerDeviceCreateInfo*)info->pNext;
  while (chain->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO || chain->function != VK_LAYER_LINK_INFO)
    chain = (VkLayerDeviceCreateInfo*)chain->pNext;
  next_device_lookup = chain->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  chain->u.pLayerInfo = chain->u.pLayerInfo->pNext;
  return ((PFN_vkCreateDevice)next_instance_lookup(the_instance, "vkCreateDevice"))(physical, info, allocator, device);
}

PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice device, const char* name) {
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)vkGetDeviceProcAddr;
  return next_device_lookup(device, name);
}

PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char* name) {
  if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (PFN_vkVoidFunction)vkGetInstanceProcAddr;
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)vkGetDeviceProcAddr;
  if (strcmp(name, "vkCreateInstance") == 0) return (PFN_vkVoidFunction)create_instance;
  if (strcmp(name, "vkEnumeratePhysicalDevices") == 0) return (PFN_vkVoidFunction)list_devices;
  if (strcmp(name, "vkCreateDevice") == 0) return (PFN_vkVoidFunction)create_device;
  return next_instance_lookup ? next_instance_lookup(instance, name) : NULL;
}
