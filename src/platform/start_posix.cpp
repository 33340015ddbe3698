#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "platform/start.hpp"

namespace percycle {

void start_process() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    // open() returns the lowest free number: this one.
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0) std::_Exit(1);
  }
}

std::vector<std::string> utf8_arguments(int argc, char** argv) { return {argv, argv + argc}; }

}  // namespace percycle
