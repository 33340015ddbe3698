// Times NVML's calls, 200 of each: gcc -O1 -o nvml_times nvml_times.c -ldl && ./nvml_times
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

enum { CALLS = 200, CLOCK_OF_SMS = 1, TEMPERATURE_OF_GPU = 0 };

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

#define TIME(name, call, value)                              \
  do {                                                       \
    const double begin = now_ms();                           \
    for (int i = 0; i < CALLS; ++i) call;                    \
    printf("%s %.3f ms %llu\n", name, (now_ms() - begin) / CALLS, (unsigned long long)(value)); \
  } while (0)

int main(void) {
  void* nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (nvml == NULL) {
    puts(dlerror());
    return 1;
  }
  int (*init)(void) = dlsym(nvml, "nvmlInit_v2");
  int (*by_index)(unsigned, void**) = dlsym(nvml, "nvmlDeviceGetHandleByIndex_v2");
  int (*clock_info)(void*, int, unsigned*) = dlsym(nvml, "nvmlDeviceGetClockInfo");
  int (*power)(void*, unsigned*) = dlsym(nvml, "nvmlDeviceGetPowerUsage");
  int (*temperature)(void*, int, unsigned*) = dlsym(nvml, "nvmlDeviceGetTemperature");
  int (*energy)(void*, unsigned long long*) = dlsym(nvml, "nvmlDeviceGetTotalEnergyConsumption");
  int (*reasons)(void*, unsigned long long*) = dlsym(nvml, "nvmlDeviceGetCurrentClocksThrottleReasons");
  void* device = NULL;
  unsigned small = 0;
  unsigned long long large = 0;
  init();
  by_index(0, &device);
  TIME("clock", clock_info(device, CLOCK_OF_SMS, &small), small);
  TIME("power", power(device, &small), small);
  TIME("temperature", temperature(device, TEMPERATURE_OF_GPU, &small), small);
  TIME("energy", energy(device, &large), large);
  TIME("throttle", reasons(device, &large), large);
  return 0;
}
