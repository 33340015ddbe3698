#include "cli/names_to_remove.hpp"

#include <CLI/CLI.hpp>

#include "platform/host.hpp"

namespace percycle {

void add_names_to_remove(CLI::App& command, std::vector<std::string>& names) {
  command.add_option("--remove", names, "Also remove this word, such as the host's name; repeatable")
      ->type_name("WORD")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

std::vector<std::string> names_to_remove(std::vector<std::string> names) {
  const std::string host = host_name();
  if (host.empty() || host == "localhost") return names;
  names.push_back(host);
  names.push_back(host.substr(0, host.find('.')));
  return names;
}

}  // namespace percycle
