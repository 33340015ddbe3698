#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace percycle {

/// Draws charts as SVG and PNG with tools/render-charts, which needs Node.js.
class ChartPictures {
 public:
  /// Throws RunError if no folder of PATH has the tool.
  explicit ChartPictures(std::filesystem::path folder);

  /// Draws these charts of a report and puts the pictures into the folder. Throws RunError.
  void draw(const std::filesystem::path& report, const std::vector<std::string>& names) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path tool_;
};

}  // namespace percycle
