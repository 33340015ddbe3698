// An OpenCL driver that forwards to REAL_OPENCL with a fault (faults.h). Its platform and device
// precede the real ones; objects made from them are real, with this driver's table of
// functions.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define REAL_VARIABLE "REAL_OPENCL"
#include "faults.h"

#include <CL/cl.h>
#include <CL/cl_icd.h>

struct Stand {
  cl_icd_dispatch* dispatch;
  void* real;
};

static cl_icd_dispatch table;
static cl_icd_dispatch* real;
static struct Stand platform = {&table, NULL};
static struct Stand device = {&table, NULL};
static struct Stand board[4];  // the same device, four times

static void* adopted(void* object) {
  if (object) *(cl_icd_dispatch**)object = &table;
  return object;
}

static cl_int adopt_event(cl_int code, cl_event* event) {
  if (code == CL_SUCCESS && event) adopted(*event);
  return code;
}

static cl_int give(const void* from, size_t bytes, size_t room, void* to, size_t* needed) {
  if (needed) *needed = bytes;
  if (!to) return CL_SUCCESS;
  if (room < bytes) return CL_INVALID_VALUE;
  memcpy(to, from, bytes);
  return CL_SUCCESS;
}

static cl_int give_text(size_t bytes, char letter, size_t room, void* to, size_t* needed) {
  char* text = malloc(bytes);
  for (size_t i = 0; i < bytes; ++i) text[i] = i % 8 == 7 ? ' ' : letter;
  text[bytes - 1] = 0;
  const cl_int code = give(text, bytes, room, to, needed);
  free(text);
  return code;
}

static cl_int give_number(cl_uint number, size_t room, void* to, size_t* needed) { return give(&number, sizeof number, room, to, needed); }

static cl_int give_string(const char* text, size_t room, void* to, size_t* needed) { return give(text, strlen(text) + 1, room, to, needed); }

// Faults of one number of the device: the value in as many bytes as the query has room for.
static const struct {
  const char* fault;
  cl_device_info key;
  unsigned char byte;
} kNumbers[] = {
    {"memory_zero", CL_DEVICE_GLOBAL_MEM_SIZE, 0},
    {"memory_most", CL_DEVICE_GLOBAL_MEM_SIZE, 0xff},
    {"allocation_zero", CL_DEVICE_MAX_MEM_ALLOC_SIZE, 0},
    {"allocation_most", CL_DEVICE_MAX_MEM_ALLOC_SIZE, 0xff},
    {"local_zero", CL_DEVICE_LOCAL_MEM_SIZE, 0},
    {"local_most", CL_DEVICE_LOCAL_MEM_SIZE, 0xff},
    {"local_type_most", CL_DEVICE_LOCAL_MEM_TYPE, 0xff},
    {"constant_zero", CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 0},
    {"constant_most", CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 0xff},
    {"parameters_zero", CL_DEVICE_MAX_PARAMETER_SIZE, 0},
    {"parameters_most", CL_DEVICE_MAX_PARAMETER_SIZE, 0xff},
    {"items_zero", CL_DEVICE_MAX_WORK_ITEM_SIZES, 0},
    {"items_most", CL_DEVICE_MAX_WORK_ITEM_SIZES, 0xff},
    {"address_bits_zero", CL_DEVICE_ADDRESS_BITS, 0},
    {"address_bits_most", CL_DEVICE_ADDRESS_BITS, 0xff},
    {"type_zero", CL_DEVICE_TYPE, 0},
    {"type_most", CL_DEVICE_TYPE, 0xff},
    {"texels_zero", CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 0},
    {"texels_most", CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 0xff},
    {"line_most", CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 0xff},
    {"compiler_none", CL_DEVICE_COMPILER_AVAILABLE, 0},
    {"available_no", CL_DEVICE_AVAILABLE, 0},
    {"vendor_id_most", CL_DEVICE_VENDOR_ID, 0xff},
};

// Faults of one text of the device.
static const struct {
  const char* fault;
  cl_device_info key;
  const char* text;
} kTexts[] = {
    {"version_words", CL_DEVICE_VERSION, "Open CL three"},
    {"version_future", CL_DEVICE_VERSION, "OpenCL 99.99 x"},
    {"version_old", CL_DEVICE_VERSION, "OpenCL 1.0 "},
    {"vendor_binary", CL_DEVICE_VENDOR, "\xff\xfe\033[2J\a"},
    {"driver_empty", CL_DRIVER_VERSION, ""},
    {"driver_binary", CL_DRIVER_VERSION, "1.\xc0\xaf\n{\"end\":true}"},
    {"profile_words", CL_DEVICE_PROFILE, "NO_PROFILE"},
    {"extensions_none", CL_DEVICE_EXTENSIONS, ""},
    {"extensions_binary", CL_DEVICE_EXTENSIONS, "cl_khr_fp16\tcl_\xff\xfe \033[31m  \n"},
    // None of their queries is answered.
    {"extensions_claimed", CL_DEVICE_EXTENSIONS,
     "cl_khr_pci_bus_info cl_khr_device_uuid cl_nv_device_attribute_query cl_amd_device_attribute_query cl_intel_device_attribute_query "
     "cl_intel_required_subgroup_size cl_khr_subgroups cl_khr_subgroup_ballot cl_khr_fp16 cl_ext_float_atomics cl_khr_integer_dot_product"},
};

// Whether the fault's number or text answered `key`.
static int give_fact(cl_device_info key, size_t room, void* to, size_t* needed, cl_int* code) {
  for (size_t i = 0; i < sizeof kNumbers / sizeof *kNumbers; ++i) {
    if (kNumbers[i].key != key || !to || !is(kNumbers[i].fault)) continue;
    memset(to, kNumbers[i].byte, room);
    *code = CL_SUCCESS;
    return 1;
  }
  for (size_t i = 0; i < sizeof kTexts / sizeof *kTexts; ++i) {
    if (kTexts[i].key != key || !is(kTexts[i].fault)) continue;
    *code = give_string(kTexts[i].text, room, to, needed);
    return 1;
  }
  if ((is("units_error") && key == CL_DEVICE_MAX_COMPUTE_UNITS) || (is("timer_error") && key == CL_DEVICE_PROFILING_TIMER_RESOLUTION) ||
      (is("items_error") && key == CL_DEVICE_MAX_WORK_ITEM_SIZES) || (is("name_error") && key == CL_DEVICE_NAME)) {
    *code = CL_INVALID_VALUE;
    return 1;
  }
  return 0;
}

enum { kBoard = 4, kUnknown = 1 };

// Facts of a GPU with an identity: "card_1" and "card_2" are two cards, "card_1_*" are the first
// one through other drivers. "board" is four GPUs whose addresses differ in a domain that no query
// has.
static cl_int give_card(cl_device_info key, size_t room, void* to, size_t* needed) {
  const char second = is_kind("card_2");
  if (is("card_96")) {  // fewer units than it has
    if (key == CL_DEVICE_VENDOR) return give_string("NVIDIA Corporation", room, to, needed);
    if (key == CL_DEVICE_VENDOR_ID) return give_number(0x10de, room, to, needed);
    if (key == CL_DEVICE_NAME) return give_string("NVIDIA H100 80GB HBM3", room, to, needed);
    if (key == CL_DEVICE_MAX_COMPUTE_UNITS) return give_number(96, room, to, needed);
  }
  const cl_uint pci[] = {0, second ? 4 : 3, 0, 0};
  const char uuid[16] = {7, second};
  const char topology[24] = {[0] = 1, [21] = 2};
  if (key == CL_DEVICE_TYPE) {
    const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
    return give(&gpu, sizeof gpu, room, to, needed);
  }
  if (key == CL_DEVICE_VENDOR_ID) return give_number(0x1002, room, to, needed);
  if (key == CL_DEVICE_VENDOR) return give_string("Advanced Micro Devices, Inc.", room, to, needed);
  if (is("board")) {
    if (key == CL_DEVICE_NAME) return give_string("gfx942:sramecc+:xnack-", room, to, needed);
    if (key == CL_DEVICE_EXTENSIONS) return give_string("cl_amd_device_attribute_query", room, to, needed);
    if (key == 0x4037) return give(topology, sizeof topology, room, to, needed);
    return key == 0x4038 ? give_string("AMD Instinct MI300A", room, to, needed) : kUnknown;
  }
  if (key == CL_DEVICE_EXTENSIONS) return give_string("cl_khr_pci_bus_info cl_khr_device_uuid", room, to, needed);
  if (key == 0x410f) return give(pci, sizeof pci, room, to, needed);
  return key == 0x106a ? give(uuid, sizeof uuid, room, to, needed) : kUnknown;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id owner, cl_platform_info key, size_t room, void* to, size_t* needed) {
  if (is("platform_info_crash")) die();
  if (is("platform_info_error") && key == CL_PLATFORM_NAME) return -9999;
  if (is("platform_name_huge") && key == CL_PLATFORM_NAME) return give_text(4 << 20, 'P', room, to, needed);
  if (is("platform_name_long") && key == CL_PLATFORM_NAME) return give_text(1 << 19, 'P', room, to, needed);
  return real->clGetPlatformInfo(((struct Stand*)owner)->real, key, room, to, needed);
}

static cl_int CL_API_CALL get_device_ids(cl_platform_id owner, cl_device_type type, cl_uint room, cl_device_id* to, cl_uint* count) {
  if (is("devices_crash")) die();
  if (is("devices_hang")) hang();
  if (is("devices_error")) return -9999;
  if (is("devices_none") || (is("devices_vanish") && measures())) return CL_DEVICE_NOT_FOUND;
  if (is("devices_billions") || is("devices_thousands")) {
    if (count) *count = is("devices_billions") ? 0x7fffffff : 3000;
    for (cl_uint i = 0; i < room; ++i) to[i] = (cl_device_id)&device;
    return CL_SUCCESS;
  }
  if (is("devices_null")) {
    if (count) *count = 2;
    for (cl_uint i = 0; i < room; ++i) to[i] = NULL;
    return CL_SUCCESS;
  }
  const cl_int code = real->clGetDeviceIDs(((struct Stand*)owner)->real, type, room ? 1 : 0, room ? (cl_device_id*)&device.real : NULL, count);
  if (code == CL_SUCCESS && is("board")) {
    if (count) *count = kBoard;
    for (cl_uint i = 0; i < room && i < kBoard; ++i) {
      board[i] = device;
      to[i] = (cl_device_id)&board[i];
    }
    return CL_SUCCESS;
  }
  if (code == CL_SUCCESS && to && room) to[0] = (cl_device_id)&device;
  if (code == CL_SUCCESS && count) *count = 1;
  return code;
}

static cl_int CL_API_CALL get_device_info(cl_device_id owner, cl_device_info key, size_t room, void* to, size_t* needed) {
  const int name = key == CL_DEVICE_NAME;
  cl_int fact = CL_SUCCESS;
  if (give_fact(key, room, to, needed, &fact)) return fact;
  if (is("board") || is_kind("card_")) {
    const cl_int code = give_card(key, room, to, needed);
    if (code != kUnknown) return code;
  }
  if (is("info_crash") && key == CL_DEVICE_MAX_COMPUTE_UNITS) die();
  if (is("info_hang") && key == CL_DEVICE_MAX_COMPUTE_UNITS) hang();
  if (is("info_error")) return -9999;
  if (is("name_huge") && name) return give_text(4 << 20, 'M', room, to, needed);
  if (is("name_long") && name) return give_text(1 << 19, 'M', room, to, needed);
  if (is("name_empty") && name) return give("", 1, room, to, needed);
  if (is("name_endless") && name) return give("XYZ", 3, room, to, needed);
  if (is("name_binary") && name) return give("B\xff\xfe \xc0\xaf \033[31m\033]0;x\007\n\x9b", 22, room, to, needed);
  if (is("name_size") && name) {
    if (needed) *needed = (size_t)-1;
    return CL_SUCCESS;
  }
  if (is("name_gigabytes") && name) {
    if (needed) *needed = (size_t)8 << 30;
    return CL_SUCCESS;
  }
  if (is("extensions_huge") && key == CL_DEVICE_EXTENSIONS) return give_text(16 << 20, 'e', room, to, needed);
  const cl_uint zero = 0, most = 0xffffffff;
  const size_t none = 0, all = (size_t)-1;
  if (is("units_zero") && key == CL_DEVICE_MAX_COMPUTE_UNITS) return give(&zero, sizeof zero, room, to, needed);
  if (is("units_most") && key == CL_DEVICE_MAX_COMPUTE_UNITS) return give(&most, sizeof most, room, to, needed);
  if (is("group_zero") && key == CL_DEVICE_MAX_WORK_GROUP_SIZE) return give(&none, sizeof none, room, to, needed);
  if (is("group_most") && key == CL_DEVICE_MAX_WORK_GROUP_SIZE) return give(&all, sizeof all, room, to, needed);
  const size_t group = is("group_64") ? 64 : is("group_128") ? 128 : is("group_288") ? 288 : 0;
  if (group && key == CL_DEVICE_MAX_WORK_GROUP_SIZE) return give(&group, sizeof group, room, to, needed);
  const cl_uint slow = 1, fast = 24450;
  if (is("clock_1") && key == CL_DEVICE_MAX_CLOCK_FREQUENCY) return give(&slow, sizeof slow, room, to, needed);
  if (is("clock_tenfold") && key == CL_DEVICE_MAX_CLOCK_FREQUENCY) return give(&fast, sizeof fast, room, to, needed);
  const char subgroups[] = "cl_intel_required_subgroup_size";
  const size_t sizes[] = {0, 3, 8, 16};  // PoCL 7 lists 0
  if (is("subgroups_zero") && key == CL_DEVICE_EXTENSIONS) return give(subgroups, sizeof subgroups, room, to, needed);
  if (is("subgroups_zero") && key == 0x4108) return give(sizes, sizeof sizes, room, to, needed);
  if (is("timer_most") && key == CL_DEVICE_PROFILING_TIMER_RESOLUTION) return give(&all, sizeof all, room, to, needed);
  if (is("clock_most") && key == CL_DEVICE_MAX_CLOCK_FREQUENCY) return give(&most, sizeof most, room, to, needed);
  const int is_text = key == CL_DEVICE_VENDOR || key == CL_DRIVER_VERSION || key == CL_DEVICE_VERSION || key == CL_DEVICE_EXTENSIONS ||
                      key == CL_DEVICE_PROFILE || key == CL_DEVICE_OPENCL_C_VERSION;
  const int is_kept = key == CL_DEVICE_TYPE || key == CL_DEVICE_AVAILABLE || key == CL_DEVICE_COMPILER_AVAILABLE || key == CL_DEVICE_PLATFORM;
  const cl_int code = real->clGetDeviceInfo(((struct Stand*)owner)->real, key, room, to, needed);
  if (name && to && code == CL_SUCCESS && room > 6) memcpy(to, "Faulty", 6);
  if (!to || code != CL_SUCCESS || is_text || is_kept || name) return code;
  if (is("info_zeros")) memset(to, 0, room);
  if (is("info_ones")) memset(to, 0xff, room);
  if (is("info_random")) random_bytes(to, room);
  return code;
}

static cl_context CL_API_CALL create_context(const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
                                             void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data, cl_int* code) {
  (void)properties, (void)count, (void)devices;
  if (is("context_crash")) die();
  if (is("context_hang")) hang();
  if (is("context_null") || is("context_error") || is("card_1_shut")) {
    if (code) *code = is("context_null") ? CL_SUCCESS : -12345;
    return NULL;
  }
  const cl_context_properties chosen[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform.real, 0};
  return adopted(real->clCreateContext(chosen, 1, (const cl_device_id*)&device.real, notify, data, code));
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id owner, cl_command_queue_properties properties, cl_int* code) {
  (void)owner;
  if (is("queue_crash")) die();
  if (is("queue_null")) {
    *code = CL_SUCCESS;
    return NULL;
  }
  if (is("queue_error")) {
    *code = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  return adopted(real->clCreateCommandQueue(context, device.real, properties, code));
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char** texts, const size_t* sizes, cl_int* code) {
  if (is("program_crash")) die();
  if (is("program_null")) {
    if (code) *code = CL_SUCCESS;
    return NULL;
  }
  return adopted(real->clCreateProgramWithSource(context, count, texts, sizes, code));
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                                        void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  (void)count, (void)devices;
  if (is("build_crash")) die();
  if (is("build_hang")) hang();
  if (is("build_error") || is("build_log_size") || is("build_log_crash")) return CL_BUILD_PROGRAM_FAILURE;
  return real->clBuildProgram(program, 1, (const cl_device_id*)&device.real, options, notify, data);
}

static cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id owner, cl_program_build_info key, size_t room, void* to, size_t* needed) {
  (void)owner;
  if (is("build_error") && key == CL_PROGRAM_BUILD_LOG) return give_text(8 << 20, '\033', room, to, needed);
  if (is("build_log_crash")) die();
  if (is("build_log_size")) {
    if (needed) *needed = (size_t)-1;
    return CL_SUCCESS;
  }
  return real->clGetProgramBuildInfo(program, device.real, key, room, to, needed);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* code) {
  if (is("kernel_crash")) die();
  if (is("kernel_null")) {
    *code = CL_SUCCESS;
    return NULL;
  }
  if (is("kernel_error")) {
    *code = CL_INVALID_KERNEL_NAME;
    return NULL;
  }
  return adopted(real->clCreateKernel(program, name, code));
}

static cl_int CL_API_CALL get_kernel_group_info(cl_kernel kernel, cl_device_id owner, cl_kernel_work_group_info key, size_t room, void* to, size_t* needed) {
  (void)owner;
  const size_t limit = 64, none = 0;
  if (is("kernel_group_zero") && key == CL_KERNEL_WORK_GROUP_SIZE) return give(&none, sizeof none, room, to, needed);
  if (is("kernel_group_error")) return CL_INVALID_KERNEL;
  if (is("kernel_64") && key == CL_KERNEL_WORK_GROUP_SIZE) return give(&limit, sizeof limit, room, to, needed);
  return real->clGetKernelWorkGroupInfo(kernel, device.real, key, room, to, needed);
}

static cl_int CL_API_CALL get_kernel_subgroup_info(cl_kernel kernel, cl_device_id owner, cl_kernel_sub_group_info key, size_t given, const void* input,
                                                   size_t room, void* to, size_t* needed) {
  (void)owner;
  return real->clGetKernelSubGroupInfo(kernel, device.real, key, given, input, room, to, needed);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host, cl_int* code) {
  if (is("buffer_crash")) die();
  static int calls;
  if (is("buffer_null")) {
    *code = CL_SUCCESS;
    return NULL;
  }
  if ((is("buffer_third") && ++calls % 3 == 0) || is("buffer_error") || (is("buffers_small") && bytes > (6 << 20))) {
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
  }
  return adopted(real->clCreateBuffer(context, flags, bytes, host, code));
}

static cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags, const cl_image_format* format, const cl_image_desc* desc, void* host,
                                       cl_int* code) {
  if (is("image_null")) {
    *code = CL_SUCCESS;
    return NULL;
  }
  return adopted(real->clCreateImage(context, flags, format, desc, host, code));
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset, const size_t* global,
                                         const size_t* local, cl_uint waits, const cl_event* list, cl_event* event) {
  static int calls;
  ++calls;
  if (is("run_crash") && calls == 5) die();
  if (is("run_hang") && calls == 5) hang();
  if (is("run_error") && calls % 3 == 0) return CL_OUT_OF_RESOURCES;
  if (is("run_lost") || (is("run_lost_later") && calls > 40)) return CL_DEVICE_NOT_AVAILABLE;
  if (is("run_memory_later") && calls > 40) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (is("event_null")) {
    if (event) *event = NULL;
    return real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, list, NULL);
  }
  if (is("run_nothing") || is("all_nothing")) return adopt_event(real->clEnqueueMarkerWithWaitList(queue, 0, NULL, event), event);
  return adopt_event(real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, list, event), event);
}

static cl_int CL_API_CALL wait_for(cl_uint count, const cl_event* events) {
  static int calls;
  if (is("wait_hang") && ++calls == 5) hang();
  if (is("wait_lost_later") && ++calls > 40) return CL_DEVICE_NOT_AVAILABLE;
  if (is("wait_early_hang") || is("wait_early")) return CL_SUCCESS;
  if (is("wait_error")) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return real->clWaitForEvents(count, events);
}

static cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info key, size_t room, void* to, size_t* needed) {
  static int calls;
  const cl_int running = CL_RUNNING;
  if (is("event_error") && key == CL_EVENT_COMMAND_EXECUTION_STATUS) return CL_OUT_OF_HOST_MEMORY;
  // Never done, or done at every second question only.
  if (key == CL_EVENT_COMMAND_EXECUTION_STATUS && (is("event_running_hang") || (is("event_running") && ++calls % 2)))
    return give(&running, sizeof running, room, to, needed);
  return real->clGetEventInfo(event, key, room, to, needed);
}

// A timer of a wrong rate, in coarse steps, or whose ends are early.
static void scale_time(cl_event event, int end, cl_ulong* time) {
  // The check as a device opens has about half of these events.
  static int calls;
  const char* first = getenv("FIRST_WRONG_EVENT");
  if (is_kind("time_later") && ++calls < (first ? atoi(first) : 400)) return;
  const double factor = is("time_tenth") || is("time_later_tenth")                ? 0.1
                        : is("time_slightly_slow") || is("time_later_nine_tenths") ? 0.9
                        : is("time_fast") || is("time_later_ten")                  ? 10
                        : is("time_later_24")                                      ? 24
                        : is("time_41")                                            ? 1 / 41.7
                                                                                   : 1;
  cl_ulong start = 0;
  if (end && factor != 1 && real->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) == CL_SUCCESS)
    *time = start + (cl_ulong)((double)(*time - start) * factor);
  if (is("time_steps_1ms") || is("time_later_1ms")) *time -= *time % 1000000;
  if (is("time_steps_63us") || is("time_later_63us")) *time -= *time % 62500;
  if (is("time_steps_16ms") || is("time_later_16ms")) *time -= *time % 16000000;
  if (is("time_early") && end) *time -= 500000;
}

static cl_int CL_API_CALL get_profile(cl_event event, cl_profiling_info key, size_t room, void* to, size_t* needed) {
  const cl_int code = real->clGetEventProfilingInfo(event, key, room, to, needed);
  const int end = key == CL_PROFILING_COMMAND_END;
  cl_ulong* time = to;
  if (is("time_error")) return CL_PROFILING_INFO_NOT_AVAILABLE;
  if (is("time_zero")) *time = 0;
  if (is("time_back")) *time = end ? 1000 : 2000;
  if (is("time_most")) *time = end ? UINT64_MAX : 1;
  if (is("time_one")) *time = end ? 2 : 1;
  if (is("time_random")) random_bytes(time, sizeof *time);
  scale_time(event, end, time);
  return code;
}

static cl_int CL_API_CALL enqueue_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t bytes, void* to, cl_uint waits,
                                       const cl_event* list, cl_event* event) {
  if (is("read_crash")) die();
  if (is("read_hang")) hang();
  if (is("read_error")) return CL_OUT_OF_HOST_MEMORY;
  if (is("all_nothing")) return adopt_event(real->clEnqueueMarkerWithWaitList(queue, 0, NULL, event), event);
  const cl_int code = real->clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, bytes, to, waits, list, event);
  (void)blocking;
  if (is("read_zeros")) memset(to, 0, bytes);
  if (is("read_random")) random_bytes(to, bytes);
  if (is("read_flips") && bytes) ((char*)to)[(size_t)rand() % bytes] ^= 1;
  return adopt_event(code, event);
}

static cl_int CL_API_CALL enqueue_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t bytes, const void* from,
                                        cl_uint waits, const cl_event* list, cl_event* event) {
  if (is("write_crash")) die();
  if (is("write_error")) return CL_OUT_OF_RESOURCES;
  if (is("all_nothing")) return adopt_event(real->clEnqueueMarkerWithWaitList(queue, 0, NULL, event), event);
  return adopt_event(real->clEnqueueWriteBuffer(queue, buffer, blocking, offset, bytes, from, waits, list, event), event);
}

static void* CL_API_CALL enqueue_map(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t offset, size_t bytes,
                                     cl_uint waits, const cl_event* list, cl_event* event, cl_int* code) {
  if (is("map_null")) {
    *code = CL_SUCCESS;
    return NULL;
  }
  return real->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, bytes, waits, list, event, code);
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t bytes, const void* value) {
  if (is("argument_error")) return CL_INVALID_ARG_SIZE;
  return real->clSetKernelArg(kernel, index, bytes, value);
}

static cl_int CL_API_CALL get_program_info(cl_program program, cl_program_info key, size_t room, void* to, size_t* needed) {
  const cl_int code = real->clGetProgramInfo(program, key, room, to, needed);
  if (code != CL_SUCCESS || !to || key != CL_PROGRAM_BINARY_SIZES) return code;
  if (is("binary_empty")) memset(to, 0, room);
  if (is("binary_huge")) memset(to, 0xff, room);
  return code;
}

__attribute__((constructor)) static void load(void) {
  fault_of_loading();
  void* library = dlopen(getenv(REAL_VARIABLE), RTLD_NOW | RTLD_LOCAL);
  void* (*find)(const char*) = NULL;
  if (library) *(void**)&find = dlsym(library, "clGetExtensionFunctionAddress");
  cl_int (*platforms)(cl_uint, cl_platform_id*, cl_uint*) = NULL;
  if (find) *(void**)&platforms = find("clIcdGetPlatformIDsKHR");
  if (!platforms || platforms(1, (cl_platform_id*)&platform.real, NULL) != CL_SUCCESS) abort();
  real = *(cl_icd_dispatch**)platform.real;
  table = *real;
  table.clGetPlatformInfo = get_platform_info;
  table.clGetDeviceIDs = get_device_ids;
  table.clGetDeviceInfo = get_device_info;
  table.clCreateContext = create_context;
  table.clCreateCommandQueue = create_queue;
  table.clCreateProgramWithSource = create_program;
  table.clBuildProgram = build_program;
  table.clGetProgramBuildInfo = get_build_info;
  table.clCreateKernel = create_kernel;
  table.clGetKernelWorkGroupInfo = get_kernel_group_info;
  if (real->clGetKernelSubGroupInfo) table.clGetKernelSubGroupInfo = get_kernel_subgroup_info;
  table.clCreateBuffer = create_buffer;
  table.clSetKernelArg = set_argument;
  table.clGetProgramInfo = get_program_info;
  table.clCreateImage = create_image;
  table.clEnqueueNDRangeKernel = enqueue_kernel;
  table.clWaitForEvents = wait_for;
  table.clGetEventInfo = get_event_info;
  table.clGetEventProfilingInfo = get_profile;
  table.clEnqueueReadBuffer = enqueue_read;
  table.clEnqueueWriteBuffer = enqueue_write;
  table.clEnqueueMapBuffer = enqueue_map;
}

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* to, cl_uint* count) {
  if (is("platforms_crash")) die();
  if (is("platforms_hang")) hang();
  if (is("platforms_error")) return -9999;
  if (count) *count = is("platforms_none") ? 0 : 1;
  if (to && room) to[0] = (cl_platform_id)&platform;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id owner, cl_platform_info key, size_t room, void* to, size_t* needed) {
  return get_platform_info(owner, key, room, to, needed);
}

void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return (void*)clIcdGetPlatformIDsKHR;
  if (strcmp(name, "clGetPlatformInfo") == 0) return (void*)clGetPlatformInfo;
  return NULL;
}
