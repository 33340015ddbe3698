#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace percycle {

/// A shared library opened at run time. Never closed: drivers leave threads and exit handlers
/// behind that need its code.
class Library {
 public:
  /// Opens the first of these names that exists.
  explicit Library(std::initializer_list<const char*> names);
  /// The OpenCL loader.
  static Library opencl_loader();

  bool is_open() const { return library_ != nullptr; }
  /// Why none could be opened.
  const std::string& problem() const { return problem_; }

  /// Sets `function` to the function of this name; to null, returning false, if there is none.
  template <typename Function>
  bool find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(symbol(name));
    return function != nullptr;
  }

 private:
  void* symbol(const char* name) const;

  void* library_ = nullptr;
  std::string problem_;
};

/// The file name of NVIDIA's management library.
extern const char* const kNvmlLibrary;

/// Why the library cannot be loaded, in the dynamic linker's words; empty if it can. Loads it.
std::string load_problem(const std::string& library);

/// Whether this process has loaded a library whose path contains `part`.
bool has_library(std::string_view part);

}  // namespace percycle
