#pragma once

#include <string>
#include <vector>

namespace percycle {

/// The main function of a child process (`percycle worker ...`). Its arguments and messages are
/// internal to this binary; docs/internals.md lists them.
int worker_main(const std::vector<std::string>& arguments);

}  // namespace percycle
