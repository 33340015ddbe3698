#pragma once

#include <windows.h>

#include <atomic>
#include <cstddef>
#include <system_error>

#include "platform/file.hpp"

namespace percycle {

/// A handle as File keeps it, and back: 32 bits of a handle are significant.
inline File::Native to_native(HANDLE handle) { return HandleToLong(handle); }
inline HANDLE handle(File::Native native) { return LongToHandle(native); }

/// GetLastError() as an errno value if there is one.
std::error_code last_error();

/// Set by Ctrl-C; ends the next File::wait() early, as a signal does on Linux.
std::atomic<bool>& was_interrupted();

/// Handles that a Process gives to a child that runs this binary, in a variable of its environment.
enum class Inherited : std::size_t { events, stop };
/// The handle in a child; closed if there is none.
File::Native inherited(Inherited which);

}  // namespace percycle
