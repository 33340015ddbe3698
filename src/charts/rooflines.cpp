#include "charts/curves.hpp"

#include <string>

#include "core/figures.hpp"
#include "report/ceilings.hpp"

namespace percycle {
namespace {

constexpr std::size_t kRoofPoints = 64;  // of a line of a roofline chart

}  // namespace

std::vector<Chart> rooflines(const std::vector<ReportDevice>& devices) {
  std::vector<Chart> charts;
  for (const ReportDevice& device : devices) {
    const std::vector<Ceiling> ceilings = ceilings_of(device);
    const auto add = [&](const char* name, const std::string& title, const std::vector<Roof>& roofs) {
      if (roofs.empty()) return;
      std::vector<Series> lines;
      for (const Roof& roof : roofs) {
        Series& line = lines.emplace_back(Series{.name = roof.name, .source = device.source, .points = {}});
        for (const auto& [intensity, rate] : roof.points) line.points.push_back({intensity, rate});
      }
      charts.push_back(curve_chart({.x_title = "floating-point operations per byte",
                                    .y_title = figure_title(figures::kGopsPerS, {.ops = "flops"}),
                                    .y_scale = AxisScale::doubled},
                                   {name + device.slug, title + device.label}, lines, {}, {}, kRoofPoints));
      charts.back().devices = {device.label};
    };
    add("roofline-", "Roofline of ", roofline(ceilings));
    add("measured-roofline-",
        "Rates by intensity, and the ceilings that bound them: ", measured_roofline(intensity_lines(device, ceilings)));
  }
  return charts;
}

}  // namespace percycle
