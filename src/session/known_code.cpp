#include "session/known_code.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "codegen/binaries/code_tools.hpp"
#include "core/api.hpp"
#include "json/parse.hpp"
#include "platform/process.hpp"
#include "platform/tool.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

/// Adds pieces with their lengths, so that no two lists of pieces give one text.
class KeyText {
 public:
  void add(std::string_view piece) { text_ += fmt::format("{}:{}", piece.size(), piece); }
  void add(std::uint64_t number) { add(std::to_string(number)); }

  void add(const DriverCode& code, const std::optional<std::string>& capability) {
    add(to_string(code.api));
    add(code.vendor);
    add(code.texts.size());
    for (const CodeText& each : code.texts) {
      add(each.name);
      add(each.text);
    }
    add(code.binaries.size());
    for (const CodeBinary& each : code.binaries) {
      add(each.name);
      add(read_part(code, each, capability));
      add(static_cast<std::uint64_t>(each.optimized));
    }
    add(code.reasons.size());
    for (const std::string& each : code.reasons) add(each);
  }

  void add(const CodeInfo& info) {
    add(info.subgroup_size.value_or(0));
    add(info.statistics.size());
    for (const auto& [name, number] : info.statistics) {
      add(name);
      add(number);
    }
  }

  void add(const TimedCode& timed) {
    add(timed.kernel_name);
    add(static_cast<std::uint64_t>(timed.has_loop));
    add(timed.turn ? timed.turn->size() + 1 : 0);
    for (const TurnAccess& each : timed.turn.value_or(std::vector<TurnAccess>())) {
      add(fmt::format("{} {} {} {} {}", static_cast<int>(each.path), static_cast<int>(each.kind), each.width, each.count,
                      each.returns));
    }
    add(static_cast<std::uint64_t>(timed.arithmetic.has_value()));
    if (const auto& arithmetic = timed.arithmetic) {
      add(arithmetic->name);
      add(fmt::format("{} {} {} {}", arithmetic->count, arithmetic->helper, arithmetic->is_matrix, arithmetic->branches));
    }
  }

  template <typename T, typename... Others>
  void add(const std::optional<T>& piece, const Others&... others) {
    add(static_cast<std::uint64_t>(piece.has_value()));
    if (piece) add(*piece, others...);
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string KnownCode::program_stamps() {
  std::string stamps = file_stamp(this_program());
  for (const std::string_view name : all_code_tools()) {
    if (const auto tool = find_tool(name)) stamps += '\n' + file_stamp(*tool);
  }
  return stamps;
}

std::string KnownCode::key(const CodeQuestion& question) const {
  KeyText key;
  key.add(programs_);
  key.add(question.timed);
  key.add(question.info);
  key.add(question.code, question.capability);
  key.add(question.optimized, question.capability);
  key.add(question.capability);
  return key.take();
}

std::optional<KernelCodegen> KnownCode::find(const std::string& key) const {
  const auto text = kept_.find(key);
  if (!text) return std::nullopt;
  try {
    const nlohmann::json json = parse_json(*text);
    return KernelCodegen{from_json<Codegen>(json.at("codegen")), json.at("warnings").get<std::vector<std::string>>()};
  } catch (const std::invalid_argument&) {  // kept by another layout of records
    return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void KnownCode::keep(const std::string& key, const KernelCodegen& found) const {
  if (!found.codegen.missing.empty()) return;
  kept_.keep(key, to_line({{"codegen", to_json(found.codegen)}, {"warnings", found.warnings}}));
}

}  // namespace percycle
