#pragma once

#include <string>
#include <vector>

namespace percycle {

/// The main function of a child process. Its arguments and messages are internal to this binary:
/// - `percycle worker enumerate API` sends the events {"device": DeviceInfo} and {"problem":
///   EnumerationProblem}, at last {"end": true}.
/// - `percycle worker measure`: the first line on stdin names the device ({"api", "open_index",
///   "model"}). The event {"opened": DeviceInfo} or {"refused": reason} follows. Then each line is
///   a job, {"point", "preset", "seed"}, answered by {"result": PointResult, "device_lost": bool}
///   or, if SIGTERM came between two dispatches, by {"interrupted": true}. It ends with its stdin.
int worker_main(const std::vector<std::string>& arguments);

}  // namespace percycle
