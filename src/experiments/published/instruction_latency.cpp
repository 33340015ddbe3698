#include "presentation/presentation.hpp"

namespace percycle {
namespace {

const RegisterPresentation registered(
    "instruction-latency",
    {.title = "Latency of instructions",
     .question = "How long until an instruction that depends on another can be issued?",
     .method = "These figures are published; percycle does not measure them. A latency is the number of cycles from an "
               "instruction's issue until one that depends on it can be issued. The device's entry above says how its document "
               "measured them.",
     .metric = "cycles per instruction",
     .operation = "instruction",
     .order = 410,
     .bars = {{.split = {"class", "optimization"}}}});

}  // namespace
}  // namespace percycle
