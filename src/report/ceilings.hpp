#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/report_data.hpp"

namespace percycle {

/// The highest measured figure of one question.
struct Ceiling {
  std::string experiment;
  const CeilingRule* rule = nullptr;
  const PointRow* row = nullptr;
  const ReportRun* run = nullptr;
};

/// The name of its level: "host link", or "copy in memory" on a device that shares the host's
/// memory.
const std::string& level_of(const Ceiling& ceiling);

/// The ceilings of a device by the rules of its experiments, in the order of their sections. If
/// points differ only in configuration and sizes, the highest counts. A published device has none.
std::vector<Ceiling> ceilings_of(const ReportDevice& device);

/// The highest ceiling of one name.
struct RoofHeight {
  std::string name;
  double height = 0;  ///< GB/s, or 1e9 floating-point operations per second
  const CeilingRule* rule = nullptr;
  const PointRow* row = nullptr;
  const ReportRun* run = nullptr;
  std::string experiment{};
};

/// The highest bandwidths or rates by their roof, in the order of the ceilings.
std::vector<RoofHeight> roof_heights(const std::vector<Ceiling>& ceilings, bool bandwidths);

/// The highest measured rate of a program, and the lower one of its two roofs.
struct ProgramShare {
  std::string experiment;
  const ProgramRule* rule = nullptr;
  const PointRow* row = nullptr;
  const ReportRun* run = nullptr;
  double gops_per_s = 0;
  double bytes_per_op = 0;
  std::string roof{};                 ///< the name of the lower one; empty if a roof is unknown
  std::optional<double> most_gops{};  ///< rate at that roof
  std::vector<std::string> notes{};   ///< reasons why the roof may not bound the program

  /// The measured rate as a share of that; empty if it is unknown.
  std::optional<double> share_percent() const { return most_gops ? std::optional(100 * gops_per_s / *most_gops) : std::nullopt; }
};

/// The programs of a device with their ceilings, in the order of their sections. If points differ
/// only in configuration and sizes, the highest rate counts.
std::vector<ProgramShare> program_shares(const ReportDevice& device, const std::vector<Ceiling>& ceilings);

/// A line of a roofline chart: floating-point operations per byte, and 1e9 of them per second.
struct Roof {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

/// Slopes of bandwidths up to the highest rate, and flat lines of rates from the highest bandwidth
/// on. Empty if one of the two was not measured.
std::vector<Roof> roofline(const std::vector<Ceiling>& ceilings);

/// The two ceilings of a curve by operational intensity.
struct IntensityRoof {
  std::string name;                                ///< of the bandwidth
  double gb_per_s = 0;                             ///< of the level that the operands come from
  double rate = 0;                                 ///< 1e9 floating-point operations per second
  double knee() const { return rate / gb_per_s; }  ///< floating-point operations per byte
};

/// Measured rates by operational intensity, with operands of one level.
struct IntensityLine {
  std::string level;
  std::vector<std::pair<double, double>> points;  ///< as in Roof, by intensity
  std::optional<IntensityRoof> roof{};            ///< if both ceilings are known
};

std::vector<IntensityLine> intensity_lines(const ReportDevice& device, const std::vector<Ceiling>& ceilings);

/// These lines for a chart, and after each the roof that its ceilings make over the same range.
std::vector<Roof> measured_roofline(const std::vector<IntensityLine>& lines);

/// The parameters of a row without its sizes and configuration, and these.
Cells question_parameters(const PointRow& row);
Cells shape_parameters(const PointRow& row);

/// A device with its ceilings and programs.
struct DeviceCeilings {
  const ReportDevice* device = nullptr;
  std::vector<Ceiling> ceilings;
  std::vector<ProgramShare> programs;
  std::vector<IntensityLine> intensity;
};

/// The devices that have ceilings.
struct MeasuredCeilings {
  std::vector<DeviceCeilings> devices;
};

/// Points into the data.
MeasuredCeilings measured_ceilings(const ReportData& data);

/// The measured ceilings of each device as tables, and the shares that programs reach.
std::string to_text(const MeasuredCeilings& ceilings);

}  // namespace percycle
