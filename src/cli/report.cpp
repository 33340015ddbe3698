#include "cli/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/partial_line.hpp"
#include "core/error.hpp"
#include "html/page.hpp"
#include "limits/limits.hpp"
#include "platform/all_cores.hpp"
#include "report/report_data.hpp"
#include "report/report_json.hpp"
#include "report/report_tables.hpp"
#include "report/table_files.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

struct ReportArguments {
  std::vector<std::string> paths;
  std::string folder;
  std::string limits;  ///< the user's own file; empty where there is none
};

/// Files read ahead by several threads and handed out in their order.
class FilesAhead {
 public:
  explicit FilesAhead(const std::vector<std::string>& paths) : paths_(paths) {
    constexpr std::size_t kMostThreads = 4;  // more only hold more files in memory: one thread takes them all
    const std::size_t threads = std::min(useful_threads(), kMostThreads);
    ahead_ = threads + 2;
    try {
      for (std::size_t i = 0; i < threads; ++i) threads_.push_back(std::async(std::launch::async, [this] { read(); }));
    } catch (...) {
      stop();
      throw;
    }
  }
  ~FilesAhead() { stop(); }

  /// Throws what reading the file has thrown.
  std::shared_ptr<LoadedFile> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return files_.contains(taken_); });
    const auto file = files_.extract(taken_++);
    changed_.notify_all();
    lock.unlock();
    return file.mapped().get();
  }

 private:
  void stop() {
    const std::lock_guard lock(mutex_);
    started_ = paths_.size();
    changed_.notify_all();
  }

  void read() {
    // Its files are freed here, too: a thread that frees another one's memory makes it wait.
    std::vector<std::shared_ptr<LoadedFile>> own;
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return started_ == paths_.size() || started_ < taken_ + ahead_; });
      if (started_ == paths_.size()) return;
      const std::size_t number = started_++;
      lock.unlock();
      std::erase_if(own, [](const auto& file) { return file.use_count() == 1; });
      std::packaged_task<std::shared_ptr<LoadedFile>()> task(
          [&] { return own.emplace_back(std::make_shared<LoadedFile>(load(paths_[number]))); });
      task();
      lock.lock();
      files_.emplace(number, task.get_future());
      changed_.notify_all();
    }
  }

  const std::vector<std::string>& paths_;
  std::size_t ahead_ = 0;    ///< how many files more than were taken may be read
  std::size_t started_ = 0;  ///< files
  std::size_t taken_ = 0;
  std::map<std::size_t, std::future<std::shared_ptr<LoadedFile>>> files_;  ///< read and not taken, by their number
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::future<void>> threads_;  ///< last: they end before what they use
};

/// Calls `take` with each file in their order, while the next ones are being read: checking lines takes the time.
void load_all(const std::vector<std::string>& paths, const std::function<void(LoadedFile&&)>& take) {
  FilesAhead files(paths);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::shared_ptr<LoadedFile> file = files.next();
    note_partial_line(*file);
    take(std::move(*file));
  }
}

/// A folder that files are written to, by several threads. It has a list of them, so that another report into it leaves none of this one's.
class Output {
 public:
  explicit Output(std::filesystem::path folder) : folder_(std::move(folder)) {
    for (const char* part : kParts) {
      std::error_code error;
      std::filesystem::create_directories(folder_ / part, error);
      if (error) throw RunError(fmt::format("cannot make {}: {}", (folder_ / part).string(), error.message()));
    }
  }

  /// Removes what an earlier report's list names and this report has not written, and writes this one's list. Nothing else is touched.
  void finish() {
    std::ifstream earlier(folder_ / kList);
    for (std::string name; std::getline(earlier, name);) {
      const std::filesystem::path path(name);
      // A list may come from anyone: only files right in the folders that reports have.
      const bool own = std::any_of(kParts.begin(), kParts.end(), [&](const char* part) { return path.parent_path() == part; });
      std::error_code error;
      if (own && path.has_filename() && path.filename() != ".." && !written_.contains(name) &&
          std::filesystem::is_regular_file(folder_ / path, error)) {
        std::filesystem::remove(folder_ / path, error);
        if (error) throw RunError(fmt::format("cannot remove {}: {}", (folder_ / path).string(), error.message()));
      }
    }
    earlier.close();
    std::string list;
    for (const std::string& name : written_) list += name + '\n';
    write(kList, list);
  }

  /// Replaces a file of that name.
  void write(const std::string& name, const std::function<void(std::ostream&)>& content) {
    {
      const std::lock_guard lock(mutex_);
      written_.insert(name);
    }
    const std::filesystem::path path = folder_ / name;
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (file) content(file);
    file.close();
    if (!file) throw RunError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  }
  void write(const std::string& name, const std::string& text) {
    write(name, [&](std::ostream& out) { out << text; });
  }

 private:
  static constexpr std::array kParts{"tables", "charts"};
  static constexpr const char* kList = "files.txt";

  std::filesystem::path folder_;
  std::mutex mutex_;
  std::set<std::string> written_;
};

void write_table(Output& output, const std::string& name, const PointTable& all, const PointTable& best) {
  output.write(name + ".csv", to_csv(all));
  output.write(name + ".md", to_markdown(best));
}

void write_tables(Output& output, const ReportDevice& device, const DeviceTables& tables) {
  for (const auto& [experiment, table] : tables.experiments)
    write_table(output, fmt::format("tables/{}-{}", device.slug, experiment), table.all, table.best());
  const EfficiencyTable& efficiency = tables.efficiency;
  if (!efficiency.rows.empty()) {
    write_table(output, fmt::format("tables/{}-efficiency", device.slug), efficiency.table, efficiency.table);
  }
}

void report_files(const ReportArguments& arguments) {
  const LimitsCatalogue catalogue =
      limits_catalogue(arguments.limits.empty() ? std::nullopt : std::optional<std::filesystem::path>(arguments.limits));
  ReportCollector collector(catalogue);
  load_all(arguments.paths, [&](LoadedFile&& file) { collector.add(std::move(file)); });
  const ReportData data = collector.finish();
  if (data.points == 0) throw UsageError("no finished point in these files: nothing to report");

  const std::vector<DeviceTables> tables = report_tables(data);

  Output output(arguments.folder);
  std::atomic<std::size_t> next_device = 0;
  const auto write_all_tables = [&] {
    for (std::size_t i = next_device++; i < data.devices.size(); i = next_device++)
      write_tables(output, data.devices[i], tables[i]);
  };
  auto others = std::async(std::launch::async, [&] {
    output.write("report.json", [&](std::ostream& out) { write_json(out, data, tables); });
    write_all_tables();
  });
  const ReportPage page = report_page(data, tables);
  for (const ChartFile& chart : page.charts) output.write("charts/" + chart.name + ".vl.json", chart.specification);
  write_all_tables();  // what the other thread has not come to
  others.get();        // before the page: where it is, so is the rest
  output.write("report.html", page.html);
  output.finish();
  fmt::print("{}/report.html: {} points of {} devices from {} files\n", arguments.folder, data.points, data.devices.size(),
             data.files);
}

}  // namespace

void add_report(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Make a report with charts and tables of record files");
  command->add_option("FILE", arguments->paths, "Record files (*.jsonl), measured, simulated or published")->required();
  command->add_option("-o,--out", arguments->folder, "Folder to write to; an earlier report's files in it are replaced")
      ->required();
  command->add_option("--limits", arguments->limits,
                      "Your own limits of bandwidth, which go before the built-in ones (see `percycle limits`)");
  command->callback([arguments, &exit_status] {
    report_files(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle
