#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace percycle {

/// A shared library that is opened at run time. Never closed: drivers leave threads and exit handlers behind that must keep their code.
class Library {
 public:
  /// The first of these names that can be opened.
  explicit Library(std::initializer_list<const char*> names);

  bool is_open() const { return library_ != nullptr; }
  /// Why none could be opened.
  const std::string& problem() const { return problem_; }

  /// Sets `function` to that of this name; to null, and answers false, where there is none.
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

/// Whether a library whose path holds `part` is in this process.
bool has_library(std::string_view part);

}  // namespace percycle
