#include <windows.h>
// After windows.h.
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <timeapi.h>

#include <cstdio>
#include <cstdlib>

#include "platform/start.hpp"
#include "platform/windows_text.hpp"

namespace percycle {
namespace {

UINT& code_page_before() {
  static UINT page = 0;
  return page;
}

void open_missing(DWORD which) {
  const HANDLE stream = GetStdHandle(which);
  if (stream != nullptr && stream != INVALID_HANDLE_VALUE) return;
  SetStdHandle(which, CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
}

LONG WINAPI end_with_exception(EXCEPTION_POINTERS* exception) {
  TerminateProcess(GetCurrentProcess(), exception->ExceptionRecord->ExceptionCode);
  return EXCEPTION_EXECUTE_HANDLER;
}

}  // namespace

void start_process() {
  for (const DWORD stream : {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) open_missing(stream);
  // The same bytes as on Linux, without carriage returns.
  for (std::FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
  // The console outlives this process.
  code_page_before() = GetConsoleOutputCP();
  if (code_page_before() != 0 && SetConsoleOutputCP(CP_UTF8) != 0) std::atexit([] { SetConsoleOutputCP(code_page_before()); });
  // Colours, and rewriting of a line.
  DWORD mode = 0;
  const HANDLE errors = GetStdHandle(STD_ERROR_HANDLE);
  if (GetConsoleMode(errors, &mode) != 0) SetConsoleMode(errors, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  // A crash of a driver ends the worker at once, without windows, dumps and debuggers.
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  SetUnhandledExceptionFilter(end_with_exception);
  // Pauses of 1 ms instead of 15.6 ms, for telemetry and for events of workers.
  timeBeginPeriod(1);
}

std::vector<std::string> utf8_arguments(int argc, char** argv) {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  if (words == nullptr) return {argv, argv + argc};
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) all.push_back(utf8(words[i]));
  LocalFree(words);
  return all;
}

}  // namespace percycle
