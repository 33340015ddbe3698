#include <doctest/doctest.h>

#include <deque>

#include "check_words.hpp"
#include "html/page.hpp"
#include "report/ceilings.hpp"
#include "report/knees.hpp"
#include "report/report_json.hpp"
#include "report/report_tables.hpp"
#include "unit/store_examples.hpp"

namespace percycle::ceilings_test {
namespace {

PointRecord rate(const char* experiment, Parameters parameters, const char* statistic, double value) {
  PointRecord record;
  record.header = examples::header().id;
  record.result.point = {experiment, std::move(parameters)};
  Measurement& measurement = record.result.measurement.emplace();
  measurement.time_source = "device timer";
  measurement.statistics[statistic] = {value, value / 100, value - 1, value + 1, 5};
  measurement.clock_mhz = Sourced<double>{1980, Provenance::telemetry};
  return record;
}

PointRecord slices(std::int64_t footprint, double value) {
  return rate("cache-bandwidth", {{"test", "footprint"}, {"mode", "private"}, {"footprint", footprint}}, "gb_per_s", value);
}

PointRecord memory(const char* op, std::int64_t width, double value) {
  return rate("dram-bandwidth", {{"op", op}, {"width", width}, {"footprint", std::int64_t{1} << 30}}, "gb_per_s", value);
}

PointRecord arithmetic(Parameters parameters, double value) {
  return rate("arithmetic-throughput", std::move(parameters), "gops_per_s", value);
}

ReportData collected(std::vector<PointRecord> records, Header header = examples::header()) {
  LoadedFile file;
  file.path = "card.jsonl";
  file.headers = {std::move(header)};
  for (PointRecord& record : records) file.entries.emplace_back(std::move(record));
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  return collector.finish();
}

/// Two levels of 4000 and 1000 GB/s and two kinds of operations of 32000 and 8000 GFLOP/s.
ReportData card() {
  return collected({slices(1 << 20, 3000), slices(1 << 22, 4000), slices(1 << 24, 1500),
                    rate("cache-bandwidth", {{"test", "units"}, {"mode", "private"}, {"footprint", 1 << 22}}, "gb_per_s", 9000),
                    memory("read", 16, 1000), memory("read", 4, 900), memory("copy", 16, 1100),
                    arithmetic({{"operation", "fp32-fma"}, {"chains", 4}, {"subgroups", 8}}, 16000),
                    arithmetic({{"operation", "fp32-fma"}, {"beside", "int32-add"}, {"chains", 4}, {"subgroups", 8}}, 17000),
                    arithmetic({{"operation", "fp32-fma"}, {"optimization", "O0"}, {"chains", 4}, {"subgroups", 8}}, 18000),
                    arithmetic({{"operation", "fp64-fma"}, {"chains", 4}, {"subgroups", 8}}, 4000)});
}

TEST_CASE("ceilings: the highest of sizes and configurations, one for each question, in the order of the sections") {
  const ReportData data = card();
  std::vector<std::string> found;
  for (const Ceiling& ceiling : ceilings_of(data.devices.at(0))) {
    const Cell* op = find_parameter(*ceiling.row, ceiling.experiment == "dram-bandwidth" ? "op" : "operation");
    const char* name = ceiling.experiment == "arithmetic-throughput" ? "gops_per_s" : "gb_per_s";
    found.push_back(ceiling.rule->level + ' ' + (op ? exact_text_of(*op) + ' ' : "") +
                    exact_text_of(*find_figure(*ceiling.row, name)));
  }
  CHECK(found == std::vector<std::string>{"shared caches 4000", "memory copy 1100", "memory read 900", "memory read 1000",
                                          "arithmetic fp32-fma 16000", "arithmetic fp64-fma 4000", "arithmetic fp32-fma 17000"});
}

TEST_CASE("ceilings: a device that shares the host's memory has no host link") {
  const auto level = [](bool shares, DeviceType type) {
    Header header = examples::header();
    header.device.shares_host_memory = shares;
    header.device.type = type;
    const ReportData data = collected(
        {rate("transfer-bandwidth", {{"direction", "to-device"}, {"memory", "pinned"}, {"footprint", 1 << 20}}, "gb_per_s", 20)},
        header);
    const std::vector<Ceiling> found = ceilings_of(data.devices.at(0));
    return found.size() == 1 ? level_of(found.front()) : "";
  };
  CHECK(level(false, DeviceType::gpu) == "host link");
  CHECK(level(true, DeviceType::gpu) == "copy in memory");
  CHECK(level(false, DeviceType::cpu) == "copy in memory");
}

TEST_CASE("ceilings: a document has none") {
  Header published = examples::published_header();
  LoadedFile file;
  file.headers = {published};
  PointRecord record = memory("read", 16, 1000);
  record.header = published.id;
  record.result.measurement->time_source.clear();
  file.entries.emplace_back(std::move(record));
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  CHECK(ceilings_of(collector.finish().devices.at(0)).empty());
}

TEST_CASE("ceilings: JSON names figures, clock, limits and the record behind each") {
  const ReportData data = card();
  const nlohmann::json json = to_json(measured_ceilings(data));
  CHECK(json["schema"] == 1);
  const nlohmann::json& device = json["devices"].at(0);
  CHECK(device["name"] == "Some GPU");
  CHECK(device["units"] == nlohmann::json{{"value", 132}, {"provenance", "reported"}});
  const nlohmann::json& cache = device["ceilings"].at(0);
  CHECK(cache["kind"] == "bandwidth");
  CHECK(cache["parameters"] == nlohmann::json{{"mode", "private"}, {"test", "footprint"}});
  CHECK(cache["configuration"] == nlohmann::json{{"footprint", 1 << 22}});
  CHECK(cache["figures"]["gb_per_s"] == 4000);
  CHECK(cache["figures"]["clock"] == "telemetry");
  CHECK(cache["figures"]["limit"].is_null());
  CHECK(cache["record"] == nlohmann::json{{"file", "card.jsonl"},
                                          {"run", "0123456789abcdef"},
                                          {"created", "2026-11-21T09:30:00Z"},
                                          {"tool_commit", "abc1234"}});
  CHECK(device["ceilings"].at(4)["kind"] == "rate");
}

TEST_CASE("ceilings: the text has a line for each") {
  const ReportData data = card();
  CHECK(to_text(measured_ceilings(data)) ==
        R"(Some GPU, OpenCL (driver 580.159.04)
  level          of                   measured          per SM and cycle  % of limit   MHz  clock
  shared caches  load                     4000  GB/s                                  1980  telemetry
  memory         copy, width 16           1100  GB/s                                  1980  telemetry
  memory         read, width 4           900.0  GB/s                                  1980  telemetry
  memory         read, width 16           1000  GB/s                                  1980  telemetry
  arithmetic     fp32-fma                16000  Gops/s                                1980  telemetry
  arithmetic     fp64-fma                 4000  Gops/s                                1980  telemetry
  arithmetic     int32-add, fp32-fma     17000  Gops/s                                1980  telemetry
)");
}

TEST_CASE("ceilings: slopes end at the highest rate, flat lines begin at the highest bandwidth") {
  const ReportData data = card();
  const std::vector<Roof> lines = roofline(ceilings_of(data.devices.at(0)));
  REQUIRE(lines.size() == 4);
  using Points = std::vector<std::pair<double, double>>;
  // The outermost crossings are 8000 / 4000 = 2 and 32000 / 1000 = 32 operations per byte.
  CHECK(lines[0].name == "shared caches");
  CHECK(lines[0].points == Points{{0.25, 1000}, {8, 32000}});
  CHECK(lines[1].name == "memory");
  CHECK(lines[1].points == Points{{0.25, 250}, {32, 32000}});
  CHECK(lines[2].name == "FP32");
  CHECK(lines[2].points == Points{{8, 32000}, {256, 32000}});
  CHECK(lines[3].name == "FP64");
  CHECK(lines[3].points == Points{{2, 8000}, {256, 8000}});

  const ReportPage page = report_page(data, report_tables(data));
  CHECK(std::ranges::count(page.charts, "roofline-some-gpu-opencl", &ChartFile::name) == 1);
}

TEST_CASE("ceilings: without a rate of operations there is no roofline") {
  const ReportData data = collected({memory("read", 16, 1000)});
  CHECK(roofline(ceilings_of(data.devices.at(0))).empty());
  const ReportPage page = report_page(data, report_tables(data));
  CHECK(std::ranges::count_if(page.charts, [](const ChartFile& chart) { return chart.name.starts_with("roofline"); }) == 0);
}

/// Ceilings of memory and of FP32, and points of a sweep by intensity.
ReportData swept_card() {
  const auto swept = [](const char* level, std::int64_t fmas, double value) {
    return rate("intensity", {{"level", level}, {"fmas", fmas}}, "gops_per_s", value);
  };
  return collected({memory("read", 16, 1000), arithmetic({{"operation", "fp32-fma"}, {"chains", 4}}, 16000),
                    swept("dram", 1, 240), swept("dram", 512, 15900), swept("l1", 4, 15000)});
}

TEST_CASE("ceilings: the curve by intensity follows the roof of its level, with the knee") {
  const ReportData data = swept_card();
  const ReportDevice& device = data.devices.at(0);
  const std::vector<Roof> lines = measured_roofline(intensity_lines(device, ceilings_of(device)));
  using Points = std::vector<std::pair<double, double>>;
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].name == "from l1");
  CHECK(lines[0].points == Points{{2, 30000}});  // no ceiling of the L1 is known
  CHECK(lines[1].name == "from dram");
  CHECK(lines[1].points == Points{{0.5, 480}, {256, 31800}});
  CHECK(lines[2].name == "ceilings of memory");
  CHECK(lines[2].points == Points{{0.5, 500}, {32, 32000}, {256, 32000}});
  const ReportPage page = report_page(data, report_tables(data));
  CHECK(std::ranges::count(page.charts, "measured-roofline-some-gpu-opencl", &ChartFile::name) == 1);
}

TEST_CASE("ceilings: a knee is where both ends cross, with the points beside it") {
  const IntensityRoof roof{"memory", 1000, 32000};
  const std::vector<std::pair<double, double>> points{{0.5, 450}, {16, 14000}, {64, 28000}, {128, 31500}, {256, 31000}};
  const std::vector<std::pair<double, double>> below{{0.5, 450}, {16, 14000}};
  const std::vector<std::pair<double, double>> above{{64, 28000}, {256, 31500}};
  const auto found = knees({{"l1", points, {}}, {"dram", points, roof}, {"l2", above, roof}, {"l2", below, roof}});
  // Without ceilings, or with points on one side only, there is no knee.
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == "dram");
  CHECK(found[0].by_sweep == 31500 / 900.0);
  CHECK(found[0].by_ceilings == 32);
  CHECK(found[0].before.flops_per_byte == 16);
  CHECK(found[0].before.share_percent == 87.5);
  CHECK(found[0].after.flops_per_byte == 64);
  CHECK(found[0].after.share_percent == 87.5);
  const Knee exact = knees({{"dram", {{0.5, 450}, {32, 24000}, {256, 31500}}, roof}}).at(0);
  CHECK(exact.before.share_percent == 75);
  CHECK(exact.after.flops_per_byte == 256);
}

TEST_CASE("ceilings: text and JSON state the knee and the points beside it") {
  const ReportData data = swept_card();
  CHECK(to_text(measured_ceilings(data)) == R"(Some GPU, OpenCL (driver 580.159.04)
  level       of        measured          per SM and cycle  % of limit   MHz  clock
  memory      read          1000  GB/s                                  1980  telemetry
  arithmetic  fp32-fma     16000  Gops/s                                1980  telemetry

  operands from  flop/B where the sweep's ends cross  where the ceilings do  % of the lower ceiling before  and after it
  dram                                          33.1                     32                    96.0 at 0.5   99.4 at 256
)");
  const nlohmann::json knees = to_json(measured_ceilings(data))["devices"].at(0)["knees"];
  CHECK(knees == nlohmann::json::array({{{"level", "dram"},
                                         {"flops_per_byte_of_sweep", 31800 / 960.0},
                                         {"flops_per_byte_of_ceilings", 32},
                                         {"before", {{"flops_per_byte", 0.5}, {"percent_of_ceiling", 96}}},
                                         {"after", {{"flops_per_byte", 256}, {"percent_of_ceiling", 99.375}}}}}));
}

/// A program's point with both rates.
PointRecord program(const char* experiment, Parameters parameters, double gops, double bytes_per_op) {
  PointRecord record = rate(experiment, std::move(parameters), "gops_per_s", gops);
  record.result.measurement->statistics["gb_per_s"] = {gops * bytes_per_op, 1, 1, 1, 5};
  return record;
}

/// Roofs of 4000 and 1000 GB/s and of 32000 Gflop/s, and some of a program's points below each.
std::vector<PointRecord> programs() {
  const auto lattice = [](const char* level, std::int64_t cells, std::int64_t group_size, double gops) {
    return program("lattice-boltzmann", {{"level", level}, {"cells", cells}, {"group_size", group_size}}, gops, 152);
  };
  return {slices(1 << 22, 4000),
          memory("read", 16, 1000),
          arithmetic({{"operation", "fp32-fma"}, {"chains", 4}, {"subgroups", 8}}, 16000),
          lattice("dram", 1 << 22, 256, 5),
          lattice("dram", 1 << 22, 128, 4),
          lattice("l2", 1 << 15, 256, 20),
          program("convolution", {{"channels", 16}, {"level", "dram"}, {"pixels", 1 << 23}, {"group_size", 256}}, 5, 128)};
}

constexpr const char* kReads = "the ceiling comes from reads; the program writes as many bytes as it reads";

TEST_CASE("ceilings: the lower roof bounds a program, and its best point gives its share") {
  const ReportData data = collected(programs());
  const ReportDevice& device = data.devices.at(0);
  const std::vector<ProgramShare> shares = program_shares(device, ceilings_of(device));
  REQUIRE(shares.size() == 3);
  CHECK(shares[0].gops_per_s == 5);
  CHECK(shares[0].bytes_per_op == doctest::Approx(152));
  CHECK(shares[0].roof == "memory");
  CHECK(shares[0].notes == std::vector<std::string>{kReads});
  CHECK(shares[0].most_gops.value() == doctest::Approx(1000 / 152.0));
  CHECK(shares[1].roof == "shared caches");
  CHECK(shares[1].most_gops.value() == doctest::Approx(4000 / 152.0));
  CHECK(shares[2].roof == "FP32");
  CHECK(shares[2].most_gops.value() == doctest::Approx(32000 / 4608.0));
  CHECK(shares[2].notes.empty());
  CHECK(to_text(measured_ceilings(data)) == R"(Some GPU, OpenCL (driver 580.159.04)
  level          of        measured          per SM and cycle  % of limit   MHz  clock
  shared caches  load          4000  GB/s                                  1980  telemetry
  memory         read          1000  GB/s                                  1980  telemetry
  arithmetic     fp32-fma     16000  Gops/s                                1980  telemetry

  program                 of                 measured              GB/s  bytes  flop  ceiling  by             share %
  Lattice-Boltzmann step  dram                  5.000  Gcells/s   760.0    152   177    6.579  memory            76.0
  Lattice-Boltzmann step  l2                    20.00  Gcells/s    3040    152   177    26.32  shared caches     76.0
  Convolution             channels 16, dram     5.000  Gpixels/s  640.0    128  4608    6.944  FP32              72.0
  - Lattice-Boltzmann step (dram; l2): the ceiling comes from reads; the program writes as many bytes as it reads
)");

  const nlohmann::json json = to_json(measured_ceilings(data))["devices"].at(0)["programs"];
  CHECK(json.size() == 3);
  CHECK(json.at(2)["experiment"] == "convolution");
  CHECK(json.at(2)["parameters"] == nlohmann::json{{"channels", 16}, {"level", "dram"}});
  CHECK(json.at(2)["configuration"] == nlohmann::json{{"pixels", 1 << 23}, {"group_size", 256}});
  CHECK(json.at(2)["flops_per_op"] == 4608);
  CHECK(json.at(2)["ceiling"]["roof"] == "FP32");
  CHECK(json.at(2)["share_percent"].get<double>() == doctest::Approx(72));
  CHECK(json.at(2)["record"]["file"] == "card.jsonl");
}

/// The shares of these points on a CPU or GPU.
std::vector<ProgramShare> shares_on(DeviceType type, const std::vector<PointRecord>& records) {
  Header header = examples::header();
  header.device.type = type;
  static std::deque<ReportData> kept;  // the shares point to it
  kept.push_back(collected(records, header));
  const ReportDevice& device = kept.back().devices.at(0);
  return program_shares(device, ceilings_of(device));
}

TEST_CASE("ceilings: a program that writes as much as it reads has the ceiling of copies") {
  std::vector<PointRecord> records = programs();
  records.push_back(memory("copy", 16, 800));
  records.push_back(memory("copy", 4, 900));
  const std::vector<ProgramShare> shares = shares_on(DeviceType::gpu, records);
  CHECK(shares.at(0).roof == "memory copy");
  CHECK(shares.at(0).most_gops.value() == doctest::Approx(900 / 152.0));
  CHECK(shares.at(0).notes.empty());
  CHECK(shares.at(1).roof == "shared caches");
  CHECK(shares.at(1).notes == std::vector<std::string>{kReads});
  const ReportData data = collected(records);
  for (const Roof& line : roofline(ceilings_of(data.devices.at(0)))) CHECK(line.name != "memory copy");
}

TEST_CASE("ceilings: a share above 100 % has a note with its cause in text and JSON") {
  const auto step = [](double gops) {
    return program("lattice-boltzmann", {{"level", "dram"}, {"cells", 1 << 16}, {"group_size", 256}}, gops, 152);
  };
  const PointRecord chains = arithmetic({{"operation", "fp32-fma"}, {"chains", 8}, {"subgroups", 8}}, 16000);
  const auto only_note = [](const std::vector<ProgramShare>& shares) {
    REQUIRE(shares.size() == 1);
    REQUIRE(shares[0].notes.size() == 1);
    return shares[0].notes[0];
  };

  std::vector<PointRecord> records{slices(1 << 22, 4000), memory("read", 16, 1000), memory("copy", 16, 900), chains, step(7)};
  CHECK_WORDS("ceilings.small-data", only_note(shares_on(DeviceType::cpu, records)));
  CHECK_WORDS("ceilings.suspect", only_note(shares_on(DeviceType::gpu, records)));
  records.back().result.measurement->clock_mhz->value = 2100;
  CHECK_WORDS("ceilings.other-clock", only_note(shares_on(DeviceType::gpu, records)));

  records[0] = slices(1 << 22, 1499);
  const std::string note = only_note(shares_on(DeviceType::cpu, records));
  CHECK_WORDS("ceilings.loads-limit", note);

  records[1] = memory("read", 16, 100000);
  records[2] = memory("copy", 16, 100000);
  records[0] = slices(1 << 22, 400000);
  records.back() = step(200);
  const std::string note_of_chains = only_note(shares_on(DeviceType::cpu, records));
  CHECK_WORDS("ceilings.chains", note_of_chains);

  Header header = examples::header();
  header.device.type = DeviceType::cpu;
  const ReportData data = collected(records, header);
  const nlohmann::json json = to_json(measured_ceilings(data))["devices"].at(0)["programs"].at(0);
  CHECK(json["notes"] == nlohmann::json{note_of_chains});
  CHECK(to_text(measured_ceilings(data)).find("  - Lattice-Boltzmann step (dram): " + note_of_chains + '\n') !=
        std::string::npos);
}

TEST_CASE("ceilings: causes of a share above 100 % that the points do not bear out are not named") {
  const auto cause = [](DeviceType type, const PointRecord& caches, PointRecord step) {
    const auto shares = shares_on(type, {caches, memory("read", 16, 1000), memory("copy", 16, 1000),
                                         arithmetic({{"operation", "fp32-fma"}, {"chains", 8}}, 16000), std::move(step)});
    REQUIRE(shares.size() == 1);
    return shares[0].notes.empty() ? "" : shares[0].notes[0].substr(std::string("suspect: the share exceeds 100 %: ").size());
  };
  const auto step = [](std::int64_t cells, double gops, double bytes_per_op) {
    return program("lattice-boltzmann", {{"level", "dram"}, {"cells", cells}}, gops, bytes_per_op);
  };
  const PointRecord fast = slices(1 << 22, 4000);
  const std::string unknown = "the cause is unknown";
  CHECK(cause(DeviceType::gpu, fast, step(1 << 16, 8, 125)).empty());  // 100 % of 1000 GB/s
  CHECK(cause(DeviceType::gpu, fast, step(1 << 16, 8.125, 125)) == unknown);
  PointRecord same_clock = step(1 << 16, 8.125, 125);
  same_clock.result.measurement->clock_mhz->value = 1980 * 1.009;
  CHECK(cause(DeviceType::gpu, fast, same_clock) == unknown);
  CHECK(cause(DeviceType::cpu, fast, step(1 << 24, 8.125, 128)) == unknown);  // 2 GiB
  const std::string smaller = "the data (8 MiB) are smaller than those of the ceiling (1 GiB), so a cache holds more of them";
  CHECK(cause(DeviceType::cpu, slices(1 << 22, 1500), step(1 << 16, 8.125, 128)) == smaller);
  const PointRecord fourier = program("fft", {{"length", 4096}, {"level", "dram"}, {"batches", 128}}, 64, 16);
  CHECK(cause(DeviceType::cpu, fast, fourier) == smaller);
}

TEST_CASE("ceilings: only a program and a ceiling of two runs should be measured in one run") {
  LoadedFile file;
  file.path = "card.jsonl";
  file.headers = {examples::header(), examples::header("ffffffffffffffff")};
  file.headers[1].created = "2026-11-21T10:30:00Z";
  for (const PointRecord& record : {memory("copy", 16, 900), arithmetic({{"operation", "fp32-fma"}, {"chains", 8}}, 16000)})
    file.entries.emplace_back(record);
  PointRecord later = program("lattice-boltzmann", {{"level", "dram"}, {"cells", 1 << 16}}, 7, 152);
  later.header = file.headers[1].id;
  file.entries.emplace_back(std::move(later));
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  const ReportData data = collector.finish();
  const auto shares = program_shares(data.devices.at(0), ceilings_of(data.devices.at(0)));
  CHECK_WORDS("ceilings.suspect-program", shares.at(0).notes);
}

TEST_CASE("ceilings: a share above 100 % by less than the noise of its points is not suspect") {
  const auto note_at = [](double bandwidth, double mad_percent) {
    PointRecord copies = memory("copy", 16, 1000);
    PointRecord step = program("lattice-boltzmann", {{"level", "dram"}, {"cells", 1 << 16}}, bandwidth / 100, 100);
    for (PointRecord* record : {&copies, &step}) {
      for (auto& [name, summary] : record->result.measurement->statistics) summary.mad = summary.median * mad_percent / 100;
    }
    const auto shares = shares_on(DeviceType::gpu, {copies, arithmetic({{"operation", "fp32-fma"}, {"chains", 8}}, 16000), step});
    return shares.at(0).notes.empty() ? "none" : shares.at(0).notes.front();
  };
  const std::string equal = "the rate equals the ceiling within the noise of both points";
  CHECK(note_at(999, 0) == "none");
  CHECK(note_at(1009, 0) == equal);
  CHECK_WORDS("ceilings.suspect", note_at(1011, 0));
  CHECK(note_at(1029, 1.5) == equal);
  CHECK_WORDS("ceilings.suspect", note_at(1031, 1.5));
}

TEST_CASE("ceilings: a CPU's rate below one operation per chain and cycle has a note below 100 %, too") {
  const auto notes_at = [](double operations_per_cycle, DeviceType type = DeviceType::cpu) {
    PointRecord chains =
        arithmetic({{"operation", "fp32-fma"}, {"chains", 8}, {"subgroups", 8}}, operations_per_cycle * 132 * 1.98);
    chains.result.measurement->statistics["ops_per_unit_cycle"] = {operations_per_cycle, 0, 0, 0, 5};
    const auto shares = shares_on(type, {memory("read", 16, 10000), memory("copy", 16, 10000), std::move(chains),
                                         program("lattice-boltzmann", {{"level", "dram"}, {"cells", 1 << 16}}, 0.1, 152)});
    return shares.at(0).notes;
  };
  REQUIRE(notes_at(2).size() == 1);
  CHECK(notes_at(2)[0].ends_with("limits them (2.0 operations per cycle)"));
  CHECK(notes_at(8).empty());
  CHECK(notes_at(9).empty());
  CHECK(notes_at(2, DeviceType::gpu).empty());
}

TEST_CASE("ceilings: without one of its roofs the share of a program is unknown") {
  std::vector<PointRecord> records = programs();
  records.erase(records.begin() + 2);
  const ReportData data = collected(records);
  const ReportDevice& device = data.devices.at(0);
  for (const ProgramShare& program : program_shares(device, ceilings_of(device))) CHECK_FALSE(program.most_gops);
  const nlohmann::json json = to_json(measured_ceilings(data))["devices"].at(0)["programs"].at(0);
  CHECK(json["share_percent"].is_null());
  CHECK(json["ceiling"].is_null());
}

}  // namespace
}  // namespace percycle::ceilings_test
