#include <windows.h>

#include "platform/windows_text.hpp"

namespace percycle {

std::wstring wide(std::string_view text) {
  const int size = static_cast<int>(text.size());
  std::wstring all(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), size, all.data(), static_cast<int>(all.size()));
  return all;
}

std::string utf8(std::wstring_view text) {
  const int size = static_cast<int>(text.size());
  std::string all(static_cast<std::size_t>(WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr)),
                  '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), size, all.data(), static_cast<int>(all.size()), nullptr, nullptr);
  return all;
}

}  // namespace percycle
