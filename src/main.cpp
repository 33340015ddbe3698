#include "cli/command_line.hpp"
#include "platform/start.hpp"

int main(int argc, char** argv) {
  percycle::start_process();
  return percycle::command_line(percycle::utf8_arguments(argc, argv));
}
