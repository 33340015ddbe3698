#include "cli/chart_pictures.hpp"

#include <fmt/format.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "html/report_files.hpp"
#include "platform/tool.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRenderCharts = "render-charts";
constexpr std::chrono::minutes kDrawing{30};  // the first run fetches Vega

}  // namespace

ChartPictures::ChartPictures(fs::path folder) : folder_(std::move(folder)) {
  const auto tool = find_tool(kRenderCharts);
  if (!tool)
    throw RunError(
        fmt::format("--charts needs {} in PATH, which is in `tools` of percycle's source, and Node.js 18", kRenderCharts));
  tool_ = *tool;
}

void ChartPictures::draw(const fs::path& report, const std::vector<std::string>& names) const {
  if (names.empty()) return;
  const auto put = [](const fs::path& from, const fs::path& folder) {
    std::error_code error;
    fs::copy_file(from, folder / from.filename(), fs::copy_options::overwrite_existing, error);
    if (error) throw RunError(fmt::format("cannot write {}: {}", (folder / from.filename()).string(), error.message()));
  };
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw RunError(fmt::format("cannot make {}: {}", folder_.string(), error.message()));
  const TemporaryFolder drawn;  // of these charts alone
  const TemporaryFolder outputs;
  for (const std::string& name : names) put(report / kChartFolder / (name + kChartFile), drawn.path());
  try {
    run_tool(tool_, {drawn.path().string()}, outputs.path(), {}, kDrawing);
  } catch (const ToolError& reason) {
    throw RunError(reason.what());
  }
  for (const auto& file : fs::directory_iterator(drawn.path())) {
    const auto kind = file.path().extension();
    if (kind == ".svg" || kind == ".png") put(file.path(), folder_);
  }
}

}  // namespace percycle
