#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

#include "platform/start.hpp"
#include "sensitivity/set_threshold.hpp"
#include "worker_scripts.hpp"

namespace percycle {

std::map<std::string, void (*)()>& worker_scripts() {
  static std::map<std::string, void (*)()> all;
  return all;
}

}  // namespace percycle

int main(int argc, char** argv) {
  percycle::start_process();
  if (argc == 3 && std::string(argv[1]) == "worker") {
    const auto script = percycle::worker_scripts().find(argv[2]);
    if (script == percycle::worker_scripts().end()) std::_Exit(98);
    script->second();
    std::_Exit(0);
  }
  // for tools/sensitivity
  if (const char* threshold = std::getenv("PERCYCLE_THRESHOLD")) percycle::sensitivity::set_threshold(threshold);
  return doctest::Context(argc, argv).run();
}
