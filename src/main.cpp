#include "cli/command_line.hpp"

int main(int argc, char** argv) { return percycle::command_line(argc, argv); }
