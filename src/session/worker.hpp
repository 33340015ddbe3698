#pragma once

#include <string>
#include <vector>

namespace percycle {

/// The main function of a child process (`percycle worker ...`); its arguments and lines are this binary's own business.
///
/// `enumerate API`: events {"device": DeviceInfo}, {"problem": EnumerationProblem}, at last {"end": true}.
///
/// `measure`: the first line on stdin names the device, {"api", "open_index", "model"}; the event {"opened": DeviceInfo} or {"refused": reason}
/// follows. Then each line is a job, {"point", "preset", "seed"}, answered by {"result": PointResult, "device_lost": bool} or, when
/// SIGTERM came between two dispatches, by {"interrupted": true}. Ends with its stdin.
int worker_main(const std::vector<std::string>& arguments);

}  // namespace percycle
