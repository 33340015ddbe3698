#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace percycle {

/// "Debian GNU/Linux 12 (bookworm), Linux 6.1.0-18-amd64 x86_64".
std::string operating_system();

/// Model name of the host's CPU.
std::string host_cpu_name();
/// The same, as the text of /proc/cpuinfo tells it; `machine` (of uname(2)) where it names none, e.g. on ARM.
std::string cpu_name(std::string_view cpuinfo, std::string_view machine);

/// The host's name in its network; empty where it has none.
std::string host_name();

/// How many cores this process may run on; 1 where that is not known.
std::size_t usable_cores();

/// This process among those that run on the host now.
std::int64_t process_id();

/// Whether stderr goes to a terminal, where a line can be rewritten.
bool stderr_is_terminal();

}  // namespace percycle
