#include "report/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "core/figures.hpp"
#include "core/printable.hpp"
#include "report/efficiency.hpp"
#include "report/knees.hpp"
#include "report/point_table.hpp"
#include "report/share_notes.hpp"
#include "report/wrap.hpp"

namespace percycle {
namespace {

constexpr double kBeyond = 8;  // a roof goes on by this factor past the outermost crossing

bool holds(const PointRow& row, const CeilingRule& rule) {
  return has_words(row, rule.only) && (rule.without.empty() || !find_parameter(row, rule.without));
}

const ProgramRule* program_rule(const PointRow& row) {
  const auto& rules = row.about->programs;
  const auto found = std::ranges::find_if(rules, [&](const ProgramRule& rule) { return has_words(row, rule.only); });
  return found == rules.end() ? nullptr : &*found;
}

const CeilingRule* rule_of(const PointRow& row) {
  const auto found = std::ranges::find_if(row.about->ceilings, [&](const CeilingRule& rule) { return holds(row, rule); });
  return found == row.about->ceilings.end() ? nullptr : &*found;
}

bool is_shape(const PointRow& row, const std::string& parameter) {
  return is_configuration(row, parameter) || std::ranges::find(row.about->sizes, parameter) != row.about->sizes.end();
}

/// The question without sizes.
std::string ceiling_key(const PointRow& row) {
  return key_of(row, [&](const std::string& name) { return !is_shape(row, name); });
}

std::optional<double> rate_of(const PointRow& row) {
  const auto bandwidth = figure(row, figures::kGbPerS);
  return bandwidth ? bandwidth : figure(row, figures::kGopsPerS);
}

/// Parameters that the rules require with different words, which name the operation.
template <typename Rule>
std::set<std::string> naming_parameters(const std::vector<Rule>& rules) {
  std::map<std::string, std::vector<std::string>> words;
  for (const Rule& rule : rules) {
    for (const auto& [name, word] : rule.only) words[name].push_back(word);
  }
  std::set<std::string> names;
  for (const auto& [name, required] : words) {
    const bool differs = std::ranges::adjacent_find(required, std::ranges::not_equal_to()) != required.end();
    if (differs || required.size() < rules.size()) names.insert(name);
  }
  return names;
}

/// The words that name the operation of a row and tell the rows of its experiment apart.
template <typename Entry, typename Rule>
std::string question_words(const Entry& entry, const std::vector<Entry>& all, const std::vector<Rule>& rules) {
  std::vector<const PointRow*> rows;
  for (const Entry& other : all) {
    if (other.experiment == entry.experiment) rows.push_back(other.row);
  }
  std::set<std::string> shape;
  for (const auto& [name, cell] : entry.row->parameters) {
    if (is_shape(*entry.row, name)) shape.insert(name);
  }
  std::set<std::string> names = naming_parameters(rules);
  for (std::string& name : varying_parameters(rows, shape)) names.insert(std::move(name));
  const std::string words = parameter_words(*entry.row, std::vector(names.begin(), names.end()));
  return words.empty() ? entry.row->about->operation : words;
}

std::string question_words(const Ceiling& ceiling, const std::vector<Ceiling>& all) {
  return question_words(ceiling, all, ceiling.row->about->ceilings);
}

std::string question_words(const ProgramShare& program, const std::vector<ProgramShare>& all) {
  return question_words(program, all, program.row->about->programs);
}

std::string number(const PointRow& row, std::string_view name, const char* form) {
  const auto value = figure(row, name);
  return value ? fmt::format(fmt::runtime(form), *value) : "";
}

/// Each note once, with the programs that it concerns.
std::string notes_text(const std::vector<ProgramShare>& programs) {
  std::vector<std::string> notes;
  for (const ProgramShare& program : programs) {
    for (const std::string& note : program.notes) {
      if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }
  }
  std::string text;
  for (const std::string& note : notes) {
    std::vector<std::pair<std::string, std::string>> points;  // by the title of their program
    for (const ProgramShare& program : programs) {
      if (std::ranges::find(program.notes, note) == program.notes.end()) continue;
      const std::string words = question_words(program, programs);
      if (!points.empty() && points.back().first == program.row->about->title) {
        points.back().second += "; " + words;
      } else {
        points.emplace_back(program.row->about->title, words);
      }
    }
    std::string names;
    for (const auto& [title, words] : points) names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", title, words);
    text += fmt::format("  - {}: {}\n", names, note);
  }
  return text;
}

std::string programs_text(const std::vector<ProgramShare>& programs) {
  TextTable table{.columns = {{"program", Align::left},
                              {"of", Align::left},
                              {"measured"},
                              {"", Align::left},
                              {figure_title(figures::kGbPerS)},
                              {"bytes"},
                              {"flop"},
                              {"ceiling"},
                              {"by", Align::left},
                              {"share %"}},
                  .rows = {}};
  for (const ProgramShare& program : programs) {
    const auto share = program.share_percent();
    const bool has_bytes = program.bytes_per_op > 0;
    table.rows.push_back(
        {.cells = {program.row->about->title, question_words(program, programs), format_quantity(program.gops_per_s),
                   figure_unit(figures::kGopsPerS, {.ops = program.row->about->operation + "s"}),
                   has_bytes ? format_quantity(program.gops_per_s * program.bytes_per_op) : "",
                   has_bytes ? fmt::format("{:.4g}", program.bytes_per_op) : "", fmt::format("{}", program.rule->flops_per_op),
                   share ? format_quantity(*program.most_gops) : "", program.roof,
                   share ? fmt::format("{:.1f}", *share) : "unknown"},
         .remark = {}});
  }
  return render(fit_table(table, 0, kTableColumns - 2), "  ") + notes_text(programs);
}

/// Empty without knees.
std::string knees_text(const std::vector<Knee>& all) {
  if (all.empty()) return "";
  const auto share = [](const Knee::Neighbour& point) {
    return fmt::format("{:.1f} at {:.3g}", point.share_percent, point.flops_per_byte);
  };
  TextTable table{.columns = {{"operands from", Align::left},
                              {"flop/B where the sweep's ends cross"},
                              {"where the ceilings do"},
                              {"% of the lower ceiling before"},
                              {"and after it"}},
                  .rows = {}};
  for (const Knee& knee : all) {
    table.rows.push_back({.cells = {knee.level, fmt::format("{:.3g}", knee.by_sweep), fmt::format("{:.3g}", knee.by_ceilings),
                                    share(knee.before), share(knee.after)},
                          .remark = {}});
  }
  return '\n' + render(table, "  ");
}

std::string device_text(const DeviceCeilings& found) {
  const ReportDevice& device = *found.device;
  const std::vector<Ceiling>& ceilings = found.ceilings;
  TextTable table{.columns = {{"level", Align::left},
                              {"of", Align::left},
                              {"measured"},
                              {"", Align::left},
                              {"per " + device.unit_name + " and cycle"},
                              {figure_title(figures::kEfficiency)},
                              {unit_text::kMhz},
                              {"clock", Align::left}},
                  .rows = {}};
  for (const Ceiling& ceiling : ceilings) {
    const PointRow& row = *ceiling.row;
    const Figure rate = figure_called(main_figure(row));
    const Cell* clock = find_figure(row, "clock");
    table.rows.push_back(
        {.cells = {level_of(ceiling), question_words(ceiling, ceilings), format_quantity(rate_of(row).value()),
                   figure_unit(rate.name), number(row, rate.in_cycles, "{:.4g}"), number(row, figures::kEfficiency, "{:.1f}"),
                   number(row, figures::kClockMhz, "{:.0f}"), clock ? exact_text_of(*clock) : ""},
         .remark = {}});
  }
  std::string text = fmt::format("{} (driver {}){}\n", device.label, printable(device.header().device.driver),
                                 device.source == Source::simulated ? ", a model" : "");
  text += render(table, "  ");
  if (!found.programs.empty()) text += '\n' + programs_text(found.programs);
  return text + knees_text(knees(found.intensity));
}

const RoofHeight* roof_called(const std::vector<RoofHeight>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &RoofHeight::name);
  return found == all.end() ? nullptr : &*found;
}

std::vector<RoofHeight> drawn_roofs(const std::vector<Ceiling>& ceilings, bool bandwidths) {
  std::vector<RoofHeight> drawn = roof_heights(ceilings, bandwidths);
  std::erase_if(drawn, [](const RoofHeight& roof) { return !roof.rule->in_chart; });
  return drawn;
}

}  // namespace

const std::string& level_of(const Ceiling& ceiling) {
  const DeviceInfo& device = ceiling.run->header.device;
  const bool in_one_memory = device.shares_host_memory || device.type == DeviceType::cpu;
  const std::string& other = ceiling.rule->level_in_one_memory;
  return in_one_memory && !other.empty() ? other : ceiling.rule->level;
}

std::vector<RoofHeight> roof_heights(const std::vector<Ceiling>& ceilings, bool bandwidths) {
  std::vector<RoofHeight> highest;
  for (const Ceiling& ceiling : ceilings) {
    const CeilingRule& rule = *ceiling.rule;
    const auto value = figure(*ceiling.row, bandwidths ? figures::kGbPerS : figures::kGopsPerS);
    if (rule.roof.empty() || !value) continue;
    auto found = std::ranges::find(highest, rule.roof, &RoofHeight::name);
    if (found == highest.end()) found = highest.insert(found, {.name = rule.roof});
    const double height = bandwidths ? *value : *value * rule.flops_per_op;
    if (height > found->height) *found = {rule.roof, height, &rule, ceiling.row, ceiling.run, ceiling.experiment};
  }
  return highest;
}

std::vector<Ceiling> ceilings_of(const ReportDevice& device) {
  if (device.source == Source::published) return {};
  std::vector<Ceiling> ceilings;
  for (const auto& [experiment, rows] : device.experiments) {
    std::vector<const PointRow*> latest = latest_rows(rows);
    sort_rows(latest);
    std::map<std::string, std::size_t> place;
    for (const PointRow* row : latest) {
      const CeilingRule* rule = rule_of(*row);
      if (!rule || !rate_of(*row) || has_any_word(*row, row->about->below_full_rate)) continue;
      const auto [entry, is_new] = place.try_emplace(ceiling_key(*row), ceilings.size());
      if (is_new) {
        ceilings.push_back({experiment, rule, row, run_of(device, *row)});
      } else if (Ceiling& highest = ceilings[entry->second]; *rate_of(*row) > *rate_of(*highest.row)) {
        highest.row = row;
        highest.run = run_of(device, *row);
      }
    }
  }
  std::ranges::stable_sort(ceilings, {}, [](const Ceiling& ceiling) { return ceiling.row->about->order; });
  return ceilings;
}

std::vector<ProgramShare> program_shares(const ReportDevice& device, const std::vector<Ceiling>& ceilings) {
  std::vector<ProgramShare> programs;
  for (const auto& [experiment, rows] : device.experiments) {
    std::vector<const PointRow*> latest = latest_rows(rows);
    sort_rows(latest);
    std::map<std::string, std::size_t> place;
    for (const PointRow* row : latest) {
      const ProgramRule* rule = program_rule(*row);
      const auto rate = figure(*row, figures::kGopsPerS);
      if (!rule || !rate) continue;
      const auto bandwidth = figure(*row, figures::kGbPerS);
      if (!bandwidth && !rule->bandwidth.empty()) continue;
      const ProgramShare program{experiment, rule, row, run_of(device, *row), *rate, bandwidth.value_or(0) / *rate};
      const auto [entry, is_new] = place.try_emplace(ceiling_key(*row), programs.size());
      if (is_new) {
        programs.push_back(program);
      } else if (programs[entry->second].gops_per_s < program.gops_per_s) {
        programs[entry->second] = program;
      }
    }
  }
  std::ranges::stable_sort(programs, {}, [](const ProgramShare& program) { return program.row->about->order; });
  const auto bandwidths = roof_heights(ceilings, true);
  const auto rates = roof_heights(ceilings, false);
  const bool is_cpu = device.header().device.type == DeviceType::cpu;
  for (ProgramShare& program : programs) {
    const RoofHeight* copies = roof_called(bandwidths, program.rule->copies);
    const RoofHeight* bandwidth = copies ? copies : roof_called(bandwidths, program.rule->bandwidth);
    const RoofHeight* rate = roof_called(rates, program.rule->rate);
    if (!rate || (!bandwidth && !program.rule->bandwidth.empty())) continue;
    const double by_flops = rate->height / program.rule->flops_per_op;
    const double by_bytes = bandwidth ? bandwidth->height / program.bytes_per_op : by_flops;
    const RoofHeight& lower = by_bytes < by_flops ? *bandwidth : *rate;
    program.roof = lower.name;
    program.most_gops = std::min(by_bytes, by_flops);
    program.notes = share_notes(program, lower, bandwidths, is_cpu);
  }
  return programs;
}

std::vector<Roof> roofline(const std::vector<Ceiling>& ceilings) {
  const auto slopes = drawn_roofs(ceilings, true);
  const auto flats = drawn_roofs(ceilings, false);
  if (slopes.empty() || flats.empty()) return {};
  const auto [slowest, fastest] = std::ranges::minmax(slopes, {}, &RoofHeight::height);
  const auto [lowest, highest] = std::ranges::minmax(flats, {}, &RoofHeight::height);
  const double begin = lowest.height / fastest.height / kBeyond;
  const double end = highest.height / slowest.height * kBeyond;
  std::vector<Roof> lines;
  for (const RoofHeight& slope : slopes)
    lines.push_back({slope.name, {{begin, begin * slope.height}, {highest.height / slope.height, highest.height}}});
  for (const RoofHeight& flat : flats)
    lines.push_back({flat.name, {{flat.height / fastest.height, flat.height}, {end, flat.height}}});
  return lines;
}

std::vector<IntensityLine> intensity_lines(const ReportDevice& device, const std::vector<Ceiling>& ceilings) {
  const auto bandwidths = roof_heights(ceilings, true);
  const auto rates = roof_heights(ceilings, false);
  std::vector<IntensityLine> lines;
  for (const auto& [experiment, rows] : device.experiments) {
    const IntensityCurve& curve = presentation_of(experiment).intensity;
    for (const auto& [level, roof] : curve.bandwidths) {
      std::map<double, double> points;
      for (const PointRow* row : latest_rows(rows)) {
        const auto rate = figure(*row, figures::kGopsPerS);
        const Cell* place = find_parameter(*row, curve.parameter);
        const auto value = place ? number_of(*place) : std::nullopt;
        if (!rate || !value || !has_word(*row, curve.level, level)) continue;
        double& highest = points[*value * curve.flops_per_byte];
        highest = std::max(highest, *rate * curve.flops_per_op);
      }
      if (points.empty()) continue;
      IntensityLine& line = lines.emplace_back(IntensityLine{level, {points.begin(), points.end()}});
      const RoofHeight* bandwidth = roof_called(bandwidths, roof);
      const RoofHeight* rate = roof_called(rates, curve.rate);
      if (bandwidth && rate) line.roof = {roof, bandwidth->height, rate->height};
    }
  }
  return lines;
}

std::vector<Roof> measured_roofline(const std::vector<IntensityLine>& lines) {
  std::vector<Roof> drawn;
  for (const IntensityLine& line : lines) {
    drawn.push_back({"from " + line.level, line.points});
    if (!line.roof) continue;
    Roof bound{"ceilings of " + line.roof->name, {}};
    for (const double x : {line.points.front().first, line.roof->knee(), line.points.back().first}) {
      if (bound.points.empty() || x > bound.points.back().first)
        bound.points.emplace_back(x, std::min(x * line.roof->gb_per_s, line.roof->rate));
    }
    drawn.push_back(std::move(bound));
  }
  return drawn;
}

Cells question_parameters(const PointRow& row) {
  Cells cells = row.parameters;
  std::erase_if(cells, [&](const auto& parameter) { return is_shape(row, parameter.first); });
  return cells;
}

Cells shape_parameters(const PointRow& row) {
  Cells cells = row.parameters;
  std::erase_if(cells, [&](const auto& parameter) { return !is_shape(row, parameter.first); });
  return cells;
}

MeasuredCeilings measured_ceilings(const ReportData& data) {
  MeasuredCeilings all;
  for (const ReportDevice& device : data.devices) {
    const std::vector<Ceiling> ceilings = ceilings_of(device);
    if (!ceilings.empty())
      all.devices.push_back({&device, ceilings, program_shares(device, ceilings), intensity_lines(device, ceilings)});
  }
  return all;
}

std::string to_text(const MeasuredCeilings& ceilings) {
  std::string text;
  for (const DeviceCeilings& device : ceilings.devices) text += (text.empty() ? "" : "\n") + device_text(device);
  return text;
}

}  // namespace percycle
