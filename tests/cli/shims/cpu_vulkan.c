// A Vulkan loader whose devices have another maker and name: CPU_VENDOR_ID, CPU_NAME. It forwards
// to REAL_LOADER.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr real_lookup;
static PFN_vkGetPhysicalDeviceProperties real_properties;
static PFN_vkGetPhysicalDeviceProperties2 real_properties2;

static void rename_device(VkPhysicalDeviceProperties* properties) {
  properties->vendorID = (uint32_t)strtoul(getenv("CPU_VENDOR_ID"), NULL, 0);
  strncpy(properties->deviceName, getenv("CPU_NAME"), sizeof properties->deviceName - 1);
}

static void VKAPI_CALL properties(VkPhysicalDevice device, VkPhysicalDeviceProperties* to) {
  real_properties(device, to);
  rename_device(to);
}

static void VKAPI_CALL properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* to) {
  real_properties2(device, to);
  rename_device(&to->properties);
}

PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char* name) {
  if (!real_lookup) *(void**)&real_lookup = dlsym(dlopen(getenv("REAL_LOADER"), RTLD_NOW | RTLD_LOCAL), "vkGetInstanceProcAddr");
  PFN_vkVoidFunction found = real_lookup(instance, name);
  if (found && strcmp(name, "vkGetPhysicalDeviceProperties") == 0) {
    real_properties = (PFN_vkGetPhysicalDeviceProperties)found;
    return (PFN_vkVoidFunction)properties;
  }
  if (found && strncmp(name, "vkGetPhysicalDeviceProperties2", strlen("vkGetPhysicalDeviceProperties2")) == 0) {
    real_properties2 = (PFN_vkGetPhysicalDeviceProperties2)found;
    return (PFN_vkVoidFunction)properties2;
  }
  return found;
}
