#include <fmt/format.h>
#include <windows.h>

#include <algorithm>
#include <bit>

#include "platform/environment.hpp"
#include "platform/host.hpp"
#include "platform/windows_text.hpp"

namespace percycle {
namespace {

/// A text of the registry, without spaces around it; empty if there is none.
std::string registry_text(const wchar_t* key, const wchar_t* value) {
  std::wstring text(256, L'\0');
  DWORD bytes = static_cast<DWORD>(text.size() * sizeof(wchar_t));
  if (RegGetValueW(HKEY_LOCAL_MACHINE, key, value, RRF_RT_REG_SZ, nullptr, text.data(), &bytes) != ERROR_SUCCESS) return {};
  text.resize(std::min(text.find(L'\0'), text.size()));
  std::string narrow = utf8(text);
  narrow.erase(0, std::min(narrow.find_first_not_of(' '), narrow.size()));
  narrow.erase(narrow.find_last_not_of(' ') + 1);
  return narrow;
}

/// " under Wine 8.0", which calls itself Windows.
std::string emulator() {
  const HMODULE kernel = GetModuleHandleW(L"ntdll.dll");
  const auto version = kernel != nullptr ? reinterpret_cast<void*>(GetProcAddress(kernel, "wine_get_version")) : nullptr;
  if (version == nullptr) return {};
  return fmt::format(" under Wine {}", reinterpret_cast<const char*(CDECL*)()>(version)());
}

bool console_size(CONSOLE_SCREEN_BUFFER_INFO& size) {
  return GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &size) != 0;
}

}  // namespace

std::string operating_system() {
  constexpr const wchar_t* kKey = LR"(SOFTWARE\Microsoft\Windows NT\CurrentVersion)";
  std::string name = registry_text(kKey, L"ProductName");
  const std::string build = registry_text(kKey, L"CurrentBuild");
  const std::string release = registry_text(kKey, L"DisplayVersion");
  // Windows 11 keeps the product name of Windows 10.
  constexpr int kFirstOf11 = 22000;
  constexpr std::string_view kTen = "Windows 10";
  if (name.starts_with(kTen) && std::atoi(build.c_str()) >= kFirstOf11) name.replace(0, kTen.size(), "Windows 11");
  if (name.empty()) name = "Windows";
  return fmt::format("{}{}{}, build {} x86_64{}", name, release.empty() ? "" : " ", release, build.empty() ? "unknown" : build,
                     emulator());
}

std::string host_cpu_name() {
  const std::string name = registry_text(LR"(HARDWARE\DESCRIPTION\System\CentralProcessor\0)", L"ProcessorNameString");
  return name.empty() ? "x86_64" : name;
}

std::string host_name() {
  std::wstring name(256, L'\0');
  DWORD size = static_cast<DWORD>(name.size());
  if (GetComputerNameExW(ComputerNameDnsHostname, name.data(), &size) == 0) return {};
  name.resize(size);
  return utf8(name);
}

std::size_t usable_cores() {
  DWORD_PTR ours = 0;
  DWORD_PTR all = 0;
  if (GetProcessAffinityMask(GetCurrentProcess(), &ours, &all) == 0) return 1;
  return static_cast<std::size_t>(std::max(std::popcount(static_cast<std::uint64_t>(ours)), 1));
}

std::optional<double> busy_share(std::chrono::milliseconds time) {
  const auto ticks = [](const FILETIME& file_time) {
    return (std::uint64_t{file_time.dwHighDateTime} << 32) | file_time.dwLowDateTime;
  };
  struct Times {
    std::uint64_t idle, all;  // the kernel's time holds the idle time
  };
  const auto times = [&]() -> std::optional<Times> {
    FILETIME idle{};
    FILETIME kernel{};
    FILETIME user{};
    if (GetSystemTimes(&idle, &kernel, &user) == 0) return std::nullopt;
    return Times{ticks(idle), ticks(kernel) + ticks(user)};
  };
  const auto before = times();
  Sleep(static_cast<DWORD>(time.count()));
  const auto after = times();
  if (!before || !after || after->all <= before->all) return std::nullopt;
  return 1 - static_cast<double>(after->idle - before->idle) / static_cast<double>(after->all - before->all);
}

std::vector<std::string> closed_gpu_nodes() { return {}; }

std::int64_t process_id() { return GetCurrentProcessId(); }

bool stderr_is_terminal() {
  DWORD mode = 0;
  return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0 && environment_variable("TERM").value_or("") != "dumb";
}

std::size_t terminal_columns() {
  constexpr std::size_t kUsual = 80;
  CONSOLE_SCREEN_BUFFER_INFO size{};
  return console_size(size) ? static_cast<std::size_t>(size.srWindow.Right - size.srWindow.Left + 1) : kUsual;
}

}  // namespace percycle
