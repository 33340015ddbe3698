#include <doctest/doctest.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "cli/command_spec.hpp"
#include "cli/completions.hpp"
#include "cli/doc_tables.hpp"
#include "cli/help_topic.hpp"
#include "cli/man_page.hpp"
#include "cli/plain_page.hpp"
#include "core/error.hpp"

namespace percycle::help_test {
namespace {

/// A program with one option of each kind.
std::vector<CommandSpec> example() {
  CLI::App app("Measure things", "percycle");
  app.set_version_flag("--version", "1");
  CLI::App* run = app.add_subcommand("run", "Measure it's [fast]");
  static std::string text;
  static bool flag = false;
  run->add_option("--api", text, "Only this API")->check(CLI::IsMember({"opencl", "vulkan"}));
  run->add_option("-o,--out", text, "New file")->type_name("FILE");
  run->add_option("--seed", text, "A number");
  run->add_flag("--retry", flag, "Again");
  run->add_option("experiments", text, "Experiments")->type_name("EXPERIMENT");
  static std::vector<std::string> files;
  CLI::App* show = app.add_subcommand("show", "Show");
  show->add_option("FILE", files, "Record files")->required();
  show->footer("Example: percycle show card.jsonl");
  return command_specs(app, {"latency", "tlb"});
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("command spec: names, values and choices come from CLI11") {
  const auto specs = example();
  REQUIRE(specs.size() == 3);
  CHECK(specs[0].name.empty());
  CHECK(specs[0].options.size() == 2);
  const CommandSpec& run = specs[1];
  CHECK(run.name == "run");
  REQUIRE(run.options.size() == 5);  // with --help
  CHECK(run.options[1].names == std::vector<std::string>{"--api"});
  CHECK(run.options[1].choices == std::vector<std::string>{"opencl", "vulkan"});
  CHECK(run.options[2].names == std::vector<std::string>{"-o", "--out"});
  CHECK(run.options[2].takes_path());
  CHECK(run.options[3].value == "TEXT");
  CHECK(!run.options[3].takes_path());
  CHECK(run.options[4].value.empty());
  REQUIRE(run.positionals.size() == 1);
  CHECK(run.positionals[0].choices == std::vector<std::string>{"latency", "tlb"});
  CHECK(!run.positionals[0].required);
  CHECK(!run.positionals[0].repeatable);
  CHECK(run.example.empty());
  CHECK(specs[2].positionals[0].takes_path());
  CHECK(specs[2].positionals[0].required);
  CHECK(specs[2].positionals[0].repeatable);
}

TEST_CASE("man page: every command and option, with roff's characters as themselves") {
  const std::string page = man_page(example(), "0.1", "2026-11-25");
  CHECK(page.starts_with(".TH PERCYCLE 1 \"2026\\-11\\-25\" \"percycle 0.1\" "));
  CHECK(holds(page, ".SS run\n\\fBpercycle\\fR \\fBrun\\fR [\\fIoptions\\fR] [\\fIEXPERIMENT\\fR]\n"));
  CHECK(holds(page, "\\fBshow\\fR [\\fIoptions\\fR] \\fIFILE\\fR...\n"));
  CHECK(holds(page, ".TP\n\\fB\\-o\\fR, \\fB\\-\\-out\\fR \\fIFILE\\fR\nNew file.\n"));
  CHECK(holds(page, ".TP\n\\fB\\-\\-api\\fR \\fB{opencl,vulkan}\\fR\nOnly this API.\n"));
  CHECK(holds(page, ".TP\n\\fIEXPERIMENT\\fR\nExperiments.\nValues: latency, tlb.\n"));
  CHECK(holds(page, ".nf\npercycle show card.jsonl\n.fi\n"));
  const OptionSpec many{.names = {"--one"}, .value = "WORD", .choices = std::vector<std::string>(11, "a"), .help = "Many"};
  CHECK(holds(man_page({{.name = "", .help = "x", .options = {many}, .positionals = {}, .example = {}}}, "", ""),
              "\\fB\\-\\-one\\fR \\fIWORD\\fR\n"));
  CHECK(!holds(page, "Example: "));
  CHECK(
      man_page({{.name = "", .help = ".x\\y", .options = {}, .positionals = {}, .example = {}}}, "", "").find("\n\\&.x\\ey.\n") !=
      std::string::npos);
}

TEST_CASE("completions: commands, options, choices and files, in the words of each shell") {
  const std::string bash = bash_completion(example());
  CHECK(holds(bash, "compgen -W 'run show -h --help --version'"));
  CHECK(holds(bash, "run,--api) COMPREPLY=($(compgen -W 'opencl vulkan' -- \"$current\")); return ;;"));
  CHECK(holds(bash, "run,-o) COMPREPLY=($(compgen -f -- \"$current\")); return ;;"));
  CHECK(holds(bash, "run,--seed) COMPREPLY=(); return ;;"));
  CHECK(!holds(bash, "run,--retry)"));
  CHECK(holds(bash, "else COMPREPLY=($(compgen -W 'latency tlb'"));
  const std::string zsh = zsh_completion(example());
  CHECK(zsh.starts_with("#compdef percycle\n"));
  CHECK(holds(zsh, "'run:Measure it'\\''s [fast]'"));
  CHECK(holds(zsh, "'*--api[Only this API]:TEXT:(opencl vulkan)'"));
  CHECK(holds(zsh, "'*-o[New file]:FILE:_files'"));
  CHECK(holds(zsh, "'*:FILE:_files'"));
  const std::string fish = fish_completion(example());
  CHECK(holds(fish, "-n __fish_use_subcommand -a run -d 'Measure it\\'s [fast]'\n"));
  CHECK(holds(fish, "-n '__fish_seen_subcommand_from run' -l api -x -a 'opencl vulkan' -d 'Only this API'\n"));
  CHECK(holds(fish, "-n '__fish_seen_subcommand_from run' -s o -l out -r -F -d 'New file'\n"));
  CHECK(holds(fish, "-n '__fish_seen_subcommand_from show' -F -a published:\n"));
}

TEST_CASE("help topics: sections by heading, pages by name, comments left out") {
  const std::vector<DocPage> pages{
      {"commands", "# Commands\n\n## run\n\n<!-- begin -->\n```\n# code\n```\n<!-- end -->\ntext\n### more\nx\n## show\ny\n"},
      {"run", "# A page\nz\n"},
      {"faq", "# Questions\n\nHow [it\nworks](x.md) with `a`. More.\n"}};
  CHECK(help_topic(pages, "Run") == "## run\n\n```\n# code\n```\ntext\n### more\nx\n\n# A page\nz\n");
  CHECK(help_topic(pages, "show") == "## show\ny\n");
  CHECK(help_topic(pages, "faq") == pages[2].text);
  CHECK(topic_list(pages) == "  commands  text x y\n  run       z\n  faq       How it works with a\n");
  CHECK_THROWS_WORDS("help.no-topic", UsageError, help_topic(pages, "zebra"));
  CHECK_THROWS_WORDS("help.close-topic", UsageError, help_topic(pages, "comands"));
}

TEST_CASE("help: a page for a terminal has no marks, except in code") {
  CHECK(
      plain_page(
          "## run\n\nSee **[a\nb](c.md)** and `x[i](j)` ![p](q).\n### `part`\n```console\n# [code](y) `z`\n|a|\n```\n[open\n") ==
      "run\n===\n\nSee a\nb and x[i](j) p.\npart\n----\n# [code](y) `z`\n |a|\n[open\n");
}

TEST_CASE("help: tables fit the columns; a row without room becomes a list; code stays") {
  constexpr const char* kPage =
      "Text.\n\n| `--set` | default | meaning |\n|---|---:|---|\n| `path` | `a` | memory paths that the kernel walks |\n"
      "| `min` |  | smallest |\n\n```console\n| a | b | that is no table but an output that is longer than a line |\n```\n";
  CHECK(fit_doc_tables(kPage, 50) ==
        "Text.\n\n"
        "  `--set`  default  meaning\n"
        "  `path`   `a`      memory paths that the kernel\n"
        "                        walks\n"
        "  `min`             smallest\n"
        "\n```console\n| a | b | that is no table but an output that is longer than a line |\n```\n");
  CHECK(fit_doc_tables(kPage, 40) ==
        "Text.\n\n"
        "  `path`\n"
        "    default: `a`\n"
        "    meaning: memory paths that the\n"
        "        kernel walks\n"
        "  `min`\n"
        "    meaning: smallest\n"
        "\n```console\n| a | b | that is no table but an output that is longer than a line |\n```\n");
}

}  // namespace
}  // namespace percycle::help_test
