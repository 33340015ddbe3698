#include "cli/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "report/wrap.hpp"

namespace percycle {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kNames = 30;

/// "FILE" for "FILE", "{on,off}" for "TEXT:{on,off}", "SECONDS" for "SECONDS:POSITIVE".
std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  if (colon == std::string::npos) return type;
  return type[colon + 1] == '{' ? type.substr(colon + 1) : type.substr(0, colon);
}

bool is_repeatable(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

/// The name of a positional, as the usage line and the list show it.
std::string positional_name(const CLI::Option& option) {
  const std::string value = value_name(option);
  return (value == "TEXT" ? option.get_name(true) : value) + (is_repeatable(option) ? "..." : "");
}

/// The help of one command. Names have their own column, texts wrap beside it.
class CommandHelp : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override { return app->get_description() + '\n'; }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string names = "  " + (is_positional ? positional_name(*option) : option->get_name(false, true));
    if (!is_positional && option->get_items_expected_max() > 0) {
      names += ' ' + value_name(*option);
      if (!option->get_default_str().empty()) names += '=' + option->get_default_str();
    }
    names.append(names.size() < kNames ? kNames - names.size() : 1, ' ');
    return hanging(names, option->get_description());
  }

  std::string make_option_usage(const CLI::Option* option) const override {
    const std::string name = positional_name(*option);
    return option->get_required() ? name : '[' + name + ']';
  }

 private:
  static std::string hanging(const std::string& names, const std::string& text) {
    const std::string indent(kNames, ' ');
    if (names.size() > kNames) return names.substr(0, names.find_last_not_of(' ') + 1) + '\n' + wrapped(indent + text);
    return names + wrapped(indent + text).substr(kNames);
  }

  /// Continuations begin where the text does.
  static std::string wrapped(const std::string& line) {
    std::string result;
    std::string rest = wrap_lines(line, kColumns);
    for (std::size_t end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
      result += rest.substr(0, end) + '\n';
      rest = wrap_lines(std::string(kNames, ' ') + rest.substr(rest.find_first_not_of(' ', end + 1)), kColumns);
    }
    return result + rest + '\n';
  }
};

}  // namespace

void set_command_help(CLI::App& app) { app.formatter(std::make_shared<CommandHelp>()); }

}  // namespace percycle
