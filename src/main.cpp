#include "cli/command_line.hpp"
#include "platform/file.hpp"

int main(int argc, char** argv) {
  percycle::open_missing_standard_streams();
  return percycle::command_line(argc, argv);
}
