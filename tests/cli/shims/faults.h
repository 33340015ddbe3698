// Shared by the faulty drivers: the library's own name, libfaulty_FAULT.so, names the fault, so
// that several load side by side. Faults of loading happen here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* fault_name(void) {
  Dl_info library;
  if (!dladdr((void*)fault_name, &library)) abort();
  const char* name = strstr(library.dli_fname, "/libfaulty_");
  if (!name) abort();
  return name + strlen("/libfaulty_");
}

static int is_kind(const char* beginning) { return strncmp(fault_name(), beginning, strlen(beginning)) == 0; }

static int is(const char* fault) { return is_kind(fault) && strcmp(fault_name() + strlen(fault), ".so") == 0; }

static void die(void) { raise(SIGKILL); }  // PoCL has a handler for SIGSEGV

static void hang(void) {
  for (;;) pause();
}

// Writes to each descriptor that this process opened or got first; spares those inherited from the
// tests' own parents.
static void write_everywhere(const char* text) {
  for (int fd = 3; fd < 1024; ++fd) {
    const int flags = fcntl(fd, F_GETFD);
    if ((fd == 3 || (flags >= 0 && (flags & FD_CLOEXEC))) && write(fd, text, strlen(text)) < 0) continue;
  }
}

// Whether this process is a worker that measures.
static int measures(void) {
  char line[256] = {0};
  FILE* file = fopen("/proc/self/cmdline", "r");
  const size_t count = file ? fread(line, 1, sizeof line - 1, file) : 0;
  if (file) fclose(file);
  for (size_t i = 0; i < count; ++i) {
    if (!line[i]) line[i] = ' ';
  }
  return strstr(line, "measure") != NULL;
}

static void random_bytes(void* to, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((char*)to)[i] = (char)rand();
}

static void fault_of_loading(void) {
  if (is("load_crash")) raise(SIGSEGV);
  if (is("load_abort")) abort();
  if (is("load_kill")) die();
  if (is("load_hang")) hang();
  if (is("load_exit")) exit(0);
  if (is("load_exit_42")) _exit(42);
  if (is("load_alarm")) alarm(1);
  if (is("load_closes")) {
    for (int fd = 0; fd < 64; ++fd) close(fd);
  }
  if (is("load_closes_all")) {
    for (int fd = 0; fd < 4096; ++fd) close(fd);
  }
  if (is("load_writes")) write_everywhere("garbage, not JSON\n");
  if (is("load_ends")) write_everywhere("{\"end\":true}\n{\"opened\":{}}\n");
  if (is("load_devices")) write_everywhere("{\"device\":{}}\n{\"result\":{},\"device_lost\":false}\n");
  if (is("load_part")) write_everywhere("{\"device\":");
  if (is("load_measure_crash") && measures()) die();
  if (is("load_measure_hang") && measures()) hang();
  if (is("load_prints")) {
    for (int i = 0; i < 20000; ++i) printf("chatter %d \033[31m\n", i);
    fflush(stdout);
  }
  if (is("load_folder") && chdir("/") != 0) abort();
  if (is("load_exits_late")) atexit(hang);
  if (is("load_forks")) {
    if (fork() == 0) {
      sleep(60);
      _exit(0);
    }
    abort();
  }
  if (is("load_blocks")) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
  }
}
