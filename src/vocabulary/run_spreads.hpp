#pragma once

#include <string_view>

namespace percycle {

/// How much the answers of two runs on one card differ: 99 of 100 pairs agree within it.
struct RunSpread {
  std::string_view experiment;
  std::string_view word;  ///< of any parameter; empty: all others
  double percent = 0;
  double on_slope = percent;  ///< where the next footprints have other values
  std::string_view api{};     ///< empty: any
};

/// Experiments that are not listed differ less.
inline constexpr double kOtherRunSpread = 2.2;

/// The first row that matches counts.
///
/// Source: four runs at `quick` through each API on one H100 (driver 580.159.04, 2026-11-28, 10 873
/// pairs of answers, results/controls/nvidia-h100-repeated-runs-20261128.csv.gz), for launches the
/// larger one of these and of 6 993 pairs on H100 and H200 from 2026-11-20 to 26. Rows of one API
/// are the largest difference of these runs and of the two at `standard` in results/.
inline constexpr RunSpread kRunSpreads[]{
    {"access-pattern", "", 7.7},
    {"arithmetic-throughput", "", 0.8},
    {"atomic-handover", "local", 1},
    {"atomic-handover", "", 99.4},
    {"atomic-heatmap", "", 7.4},
    {"atomic-latency", "", 1.5},
    {"atomic-throughput", "own-words", 10.6},
    {"atomic-throughput", "", 25},
    {"cache-bandwidth", "footprint", 2, 36.9},
    {"cache-bandwidth", "", 11.6},
    {"dram-bandwidth", "", 0.3},
    {"geometry", "alias", 4.2},
    {"geometry", "line", 13.9},
    {"geometry", "", 1.4},
    {"l1-bandwidth", "", 0.9},
    {"latency", "", 0.8, 1.9},
    {"launch", "axpy", 54.5},
    {"launch", "barrier", 70.9},
    {"launch", "dependent", 0.9, 0.9, "vulkan"},
    {"launch", "dependent", 42.1, 42.1, "opencl"},
    {"launch", "dependent", 54.7},
    {"launch", "first-instruction", 25.4},
    {"launch", "groups", 98},
    {"launch", "independent", 66.4},
    {"launch", "indirect", 2.4},
    {"launch", "last-instruction", 84},
    {"launch", "round-trip", 17.9, 17.9, "opencl"},
    {"launch", "round-trip", 66.7},
    {"local-bandwidth", "", 1},
    {"tlb", "entries", 2.8},
    {"tlb", "span", 22.9},
    {"transfer-bandwidth", "latency", 181.5},
    {"transfer-bandwidth", "", 2, 85.9},
};

}  // namespace percycle
