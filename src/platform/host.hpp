#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// "Debian GNU/Linux 12 (bookworm), Linux 6.1.0-18-amd64 x86_64".
std::string operating_system();

/// Model name of the host's CPU.
std::string host_cpu_name();
/// The same from the text of /proc/cpuinfo, or `machine` (of uname(2)) if it has no name, e.g. on
/// ARM.
std::string cpu_name(std::string_view cpuinfo, std::string_view machine);

/// The host's name in its network; empty if it has none.
std::string host_name();

/// The number of cores this process may use; 1 if unknown.
std::size_t usable_cores();

/// The share of the machine's cores that ran programs during `time`, 0 to 1; waits so long. Empty
/// if the system does not say.
std::optional<double> busy_share(std::chrono::milliseconds time);

/// Nodes of GPUs in /dev that exist and that this user may not open; none on Windows.
std::vector<std::string> closed_gpu_nodes();

/// The id of this process among those on the host.
std::int64_t process_id();

/// Whether stderr is a terminal, on which a line can be rewritten.
bool stderr_is_terminal();

/// Columns of the terminal behind stderr; 80 if it does not say.
std::size_t terminal_columns();

/// Whether stderr may be coloured: a terminal, and NO_COLOR is unset or empty.
bool stderr_has_colour();

}  // namespace percycle
