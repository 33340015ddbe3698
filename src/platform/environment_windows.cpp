#include <windows.h>

#include "platform/environment.hpp"
#include "platform/windows_text.hpp"

namespace percycle {

const char kPathSeparator = ';';

std::optional<std::string> environment_variable(const char* name) {
  const std::wstring wide_name = wide(name);
  std::wstring value(256, L'\0');
  for (;;) {
    SetLastError(ERROR_SUCCESS);
    const DWORD size = GetEnvironmentVariableW(wide_name.c_str(), value.data(), static_cast<DWORD>(value.size()));
    if (size == 0 && GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
    const bool is_whole = size < value.size();
    value.resize(size);
    if (is_whole) return utf8(value);
  }
}

void set_environment_variable(const char* name, const std::string& value) {
  // The C runtime's copy too, which drivers may read. It removes a variable set to nothing.
  _wputenv_s(wide(name).c_str(), wide(value).c_str());
  SetEnvironmentVariableW(wide(name).c_str(), wide(value).c_str());
}

}  // namespace percycle
