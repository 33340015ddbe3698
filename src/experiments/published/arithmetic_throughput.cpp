#include "presentation/presentation.hpp"

namespace percycle {
namespace {

const RegisterPresentation registered("arithmetic-throughput",
                                      {.title = "Throughput of arithmetic",
                                       .question = "How many arithmetic operations does a device do at once?",
                                       .method = "These figures are published; percycle does not measure them. They are rates of "
                                                 "arithmetic with as many independent operations as a device takes at once. The "
                                                 "device's entry above says how its document measured them.",
                                       .metric = "1e9 operations per second",
                                       .order = 420,
                                       .bars = {{.split = {"operation"}}}});

}  // namespace
}  // namespace percycle
