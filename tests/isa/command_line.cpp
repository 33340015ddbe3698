#include "command_line.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "codegen/binaries/intel.hpp"
#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/program.hpp"
#include "core/hash.hpp"

namespace percycle::audit {
namespace {

namespace fs = std::filesystem;

/// Removes `"option" "value"` from a line in clang's -### format.
void remove_option(std::string& line, std::string_view option) {
  const std::size_t at = line.find(fmt::format("\"{}\" \"", option));
  if (at == std::string::npos) throw std::runtime_error(fmt::format("clang -### shows no {}", option));
  const std::size_t end = line.find('"', at + option.size() + 4);
  line.erase(at, end + 1 - at);
}

/// Runs a command whose failures show in its outputs.
void run_quietly(const std::string& command) {
  if (std::system((command + " >/dev/null 2>&1").c_str()) == -1) throw std::runtime_error("cannot start: " + command);
}

/// The file that keeps an output for the next audit, if there is a folder for these files.
std::optional<fs::path> kept_file(const CommandLine& command, const std::string& source) {
  const char* cache = std::getenv("PERCYCLE_CACHE");
  if (cache == nullptr || *cache == '\0') return std::nullopt;
  const std::string all = command.version + '\n' + command.arguments + '\n' + source;
  return fs::path(cache) / "codegen" / (hex64(fnv1a(all)) + hex64(fnv1a("second " + all)));
}

void keep(const CommandLine& command, const std::string& source, const std::string& output) {
  const std::optional<fs::path> file = kept_file(command, source);
  if (!file) return;
  fs::create_directories(file->parent_path());
  // Renamed at the end: another target may look for it.
  const fs::path part = file->string() + fmt::format(".{}", ::getpid());
  write_text(part, output);
  fs::rename(part, *file);
}

}  // namespace

std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  std::string output;
  std::array<char, 4096> piece{};
  while (const std::size_t bytes = std::fread(piece.data(), 1, piece.size(), pipe)) output.append(piece.data(), bytes);
  if (pclose(pipe) == 0) return output;
  std::istringstream lines(output);
  std::string first = "no output";
  for (std::string line; std::getline(lines, line);) {
    // Without the path of a deleted file.
    if (const std::size_t error = line.find("rror"); error != std::string::npos) {
      first = line.substr(error - 1);
    } else if (const std::size_t fatal = line.find("fatal"); fatal != std::string::npos) {
      first = line.substr(fatal);
    } else {
      continue;
    }
    break;
  }
  throw std::runtime_error(first);
}

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  return text.str();
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.flush();
  if (!file) throw std::runtime_error(path.string() + " cannot be written");
}

CommandLine clang(const std::string& program, const std::string& version, const std::string& arguments, const fs::path& work) {
  const fs::path source_file = work / "kernel.cl";
  const fs::path output_file = work / "kernel.s";
  const auto make = [=](const std::string& source) {
    write_text(source_file, source);
    output_of(fmt::format("{} {} -S {} -o {}", program, arguments, quoted(source_file), quoted(output_file)));
    return text_of(output_file);
  };
  const auto make_several = [=](const std::vector<std::string>& sources) {
    // The driver starts a process per source. Its front end takes any number and names each output
    // like its source.
    write_text(source_file, "");
    std::string command =
        output_of(fmt::format("{} {} -S {} -o {} -###", program, arguments, source_file.string(), output_file.string()));
    command.erase(0, command.find("\n \"") + 1);
    command.resize(command.find('\n'));
    remove_option(command, "-main-file-name");
    remove_option(command, "-o");
    command.resize(command.rfind(fmt::format("\"{}\"", source_file.string())));

    std::vector<std::optional<std::string>> outputs(sources.size());
    const fs::path folder = work / "several";
    fs::remove_all(folder);
    fs::create_directories(folder);
    // After a source with an error the front end makes no more outputs: go on behind it.
    for (std::size_t first = 0; first < sources.size();) {
      std::string all = command;
      for (std::size_t i = first; i < sources.size(); ++i) {
        const fs::path path = folder / fmt::format("{}.cl", i);
        if (first == 0) write_text(path, sources[i]);
        all += ' ' + quoted(path);
      }
      run_quietly(all);
      for (; first < sources.size(); ++first) {
        const fs::path made = folder / fmt::format("{}.s", first);
        if (!fs::exists(made)) break;
        outputs[first] = text_of(made);
      }
      ++first;
    }
    return outputs;
  };
  return {version, arguments, make, make_several};
}

CommandLine ocloc_for(const std::string& chip, const std::string& version, const fs::path& work) {
  const fs::path shared = work.parent_path() / "spirv";
  fs::create_directories(shared);
  // The SPIR-V of a source, the same for all chips.
  const auto spirv_of = [=](const std::string& source) { return shared / (hex64(fnv1a(source)) + ".spv"); };
  const auto line = [=](const fs::path& source, bool is_spirv, const fs::path& out) {
    return fmt::format("compile -file {} {} -device {} -out_dir {} -output kernel -output_no_suffix -options -cl-std=CL1.2",
                       source.string(), is_spirv ? "-spirv_input" : "", chip, out.string());
  };
  const auto take = [=](const std::string& source, const fs::path& made) {
    const fs::path spirv = spirv_of(source);
    if (!fs::exists(spirv)) {
      const fs::path part = made / "whole.spv";
      fs::copy_file(made / "kernel.spv", part, fs::copy_options::overwrite_existing);
      fs::rename(part, spirv);  // atomic: another target may look for it
    }
    return assembly_of_intel(text_of(made / "kernel"));
  };
  const auto make = [=](const std::string& source) {
    const fs::path made = work / "made";
    fs::remove_all(made);
    const fs::path spirv = spirv_of(source);
    const bool known = fs::exists(spirv);
    if (!known) write_text(work / "kernel.cl", source);
    output_of("ocloc " + line(known ? spirv : work / "kernel.cl", known, made));
    return take(source, made);
  };
  const auto make_several = [=](const std::vector<std::string>& sources) {
    const fs::path folder = work / "several";
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::string lines;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const fs::path spirv = spirv_of(sources[i]);
      const fs::path path = folder / fmt::format("{}.cl", i);
      if (!fs::exists(spirv)) write_text(path, sources[i]);
      lines += line(fs::exists(spirv) ? spirv : path, fs::exists(spirv), folder / std::to_string(i)) + '\n';
    }
    write_text(folder / "commands", lines);
    run_quietly("ocloc multi " + quoted(folder / "commands"));
    std::vector<std::optional<std::string>> outputs(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (fs::exists(folder / std::to_string(i) / "kernel")) outputs[i] = take(sources[i], folder / std::to_string(i));
    }
    return outputs;
  };
  return {version, chip, make, make_several};
}

Compiler compiler_of(const Target& target, const CommandLine& command,
                     const std::function<isa::Listing(const std::string& output, const std::string& kernel)>& parse) {
  const auto made = std::make_shared<std::map<std::string, std::string>>();  // by source
  const auto compile = [=](const KernelVariant& variant) {
    const std::string source = opencl_program(variant, target.gpu_kind);
    std::string output;
    if (const auto found = made->find(source); found != made->end()) {
      output = found->second;
    } else if (const auto file = kept_file(command, source); file && fs::exists(*file)) {
      output = text_of(*file);
    } else {
      output = command.make(source);
      keep(command, source, output);
    }
    return parse(output, variant.desc.name);
  };
  const auto compile_ahead = [=](const std::vector<KernelVariant>& variants) {
    std::vector<std::string> sources;
    for (const KernelVariant& variant : variants) {
      const std::string source = opencl_program(variant, target.gpu_kind);
      const auto file = kept_file(command, source);
      if (!file || !fs::exists(*file)) sources.push_back(source);
    }
    if (sources.empty()) return;
    const auto outputs = command.make_several(sources);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (!outputs[i]) continue;
      keep(command, sources[i], *outputs[i]);
      made->emplace(sources[i], *outputs[i]);
    }
  };
  return {kernel_variants(imagined_gpu(Api::opencl, target.gpu_kind)), compile, command.version, compile_ahead};
}

}  // namespace percycle::audit
