#include "html/methods.hpp"

#include <algorithm>
#include <array>

namespace percycle {
namespace {

struct Method {
  std::string_view experiment;
  std::string_view title;
  std::string_view text;
};

constexpr std::array kMethods{
    Method{"latency", "Load-to-use latency",
           "Each load gives the address of the next, along a single random cycle with one node to each stride of the footprint. "
           "The steps of the curve are "
           "the levels of the hierarchy; `net` is less what the same loop takes without its loads."},
    Method{"geometry", "Geometry of the caches",
           "Pointer chases that are laid out so that only one property of a cache decides whether they hit: line, sector, sets, "
           "ways, replacement. Each step "
           "of the search is planned from what the ones before it found."},
    Method{"tlb", "Address translation",
           "The same number of lines is walked while the memory over which they are spread grows, so that no cache can pose as a "
           "TLB. Steps are the reach of a level, their height is what a miss adds."},
    Method{"private-caches", "Private copies of the first cache",
           "Several work-items of one unit walk chains of their own, each of which fits the first cache alone. Where they slow "
           "each other down they share it."},
    Method{"sharing", "Shared caches",
           "Two chains are walked in turn, through two paths or on two units. Where one evicts what the other left, they share a "
           "cache."},
    Method{"l1-bandwidth", "Bandwidth of the first cache",
           "Every unit loads the same few lines again and again, by the best of the configurations that were tried. Bytes per "
           "unit and cycle come from the units' own counters in the timed kernel."},
    Method{"local-bandwidth", "Bandwidth of local memory",
           "Every work-group loads its local memory in a loop, lanes side by side (sweep) or a stride apart (strided, chase). "
           "Strides that bring lanes into one bank are served one after the other."},
    Method{"cache-bandwidth", "Bandwidth of the shared caches",
           "All units read one region together (shared), or each a slice of its own that its first cache does not answer "
           "(private). The footprint is that of all units together."},
    Method{"dram-bandwidth", "Bandwidth of device memory",
           "Arrays far larger than all caches are read, written, copied, scaled and added once in a sample. Bytes are what the "
           "kernel asks for, both ways."},
    Method{"transfer-bandwidth", "Transfers between host and device",
           "Buffers are copied both ways between the device and page-locked or ordinary memory of the host. Time is the device's "
           "where it tells, else the host's."},
    Method{"atomic-latency", "Latency of atomics",
           "Atomics wait for each other: the address of the next comes from what the last returned (chain), or from a load of "
           "the same word behind it (pair). Contending lanes all go to one word or one line; `net` is less the address "
           "arithmetic or the load."},
    Method{"atomic-handover", "Handing over a token",
           "Two invocations pass a token to and fro by compare-exchange. An operation is one hand-over: until the other has seen "
           "what was written and answered."},
    Method{"atomic-heatmap", "Hand-over between units",
           "The same between pairs of units, in whole rounds in which each unit takes part once. Units of one block of the chip "
           "stand out as squares."},
    Method{"atomic-throughput", "Throughput of atomics",
           "Atomics that wait for nothing, with and without what they return, by how many lanes share a word or a line. Every "
           "word's end is checked exactly."},
    Method{"instruction-latency", "Latency of instructions",
           "Published figures only: cycles from an instruction's issue until one that depends on it can be issued. The device's "
           "entry above says how its document measured them."},
    Method{"arithmetic-throughput", "Throughput of arithmetic",
           "Published figures only: rates of arithmetic with as many independent operations as a device takes at once. The "
           "device's entry above says how its document measured them."},
};

const Method* find(std::string_view experiment) {
  const auto found =
      std::find_if(kMethods.begin(), kMethods.end(), [&](const Method& method) { return method.experiment == experiment; });
  return found == kMethods.end() ? nullptr : &*found;
}

}  // namespace

std::string_view method_of(std::string_view experiment) {
  const Method* method = find(experiment);
  return method ? method->text : "This version of percycle knows nothing of how it was measured. Its records do.";
}

std::size_t place_of(std::string_view experiment) {
  const Method* method = find(experiment);
  return static_cast<std::size_t>((method ? method : kMethods.data() + kMethods.size()) - kMethods.data());
}

std::string_view title_of(std::string_view experiment) {
  const Method* method = find(experiment);
  return method ? method->title : experiment;
}

}  // namespace percycle
