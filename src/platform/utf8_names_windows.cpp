// std::filesystem decodes narrow names with the C runtime's mbrtowc(), and that runtime has no
// UTF-8 locale: non-ASCII names would be damaged. The linker replaces mbrtowc() by the function
// below (--wrap=mbrtowc in src/CMakeLists.txt). Encoding needs no help: path::string() is UTF-8.
#include <windows.h>

#include <cwchar>

namespace {

constexpr wchar_t kReplacement = 0xfffd;

/// The bytes of a UTF-8 character by its first one; 1 for a damaged one.
std::size_t length_of(unsigned char first) {
  return first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
}

}  // namespace

extern "C" std::size_t __wrap_mbrtowc(wchar_t* to, const char* from, std::size_t count, std::mbstate_t* state) {
  static thread_local std::mbstate_t own_state{};
  std::mbstate_t& pending = state != nullptr ? *state : own_state;
  if (from == nullptr) {
    pending = {};
    return 0;
  }
  if (count == 0) return static_cast<std::size_t>(-2);
  wchar_t ignored = 0;
  wchar_t& letter = to != nullptr ? *to : ignored;
  if (pending != 0) {
    // The second half of a pair, with the last byte of four.
    letter = static_cast<wchar_t>(pending);
    pending = {};
    return 1;
  }
  const std::size_t length = length_of(static_cast<unsigned char>(*from));
  if (count < length) return static_cast<std::size_t>(-2);
  wchar_t pair[2] = {};
  const int letters = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, from, static_cast<int>(length), pair, 2);
  letter = letters == 0 ? kReplacement : pair[0];
  if (letters == 2) pending = pair[1];
  if (letters == 0) return 1;
  return letters == 2 ? length - 1 : letter == L'\0' ? 0 : length;
}
