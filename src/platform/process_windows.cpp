#include <fmt/format.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cwchar>
#include <string_view>

#include "platform/environment.hpp"
#include "platform/process.hpp"
#include "platform/windows_handles.hpp"
#include "platform/windows_text.hpp"

namespace percycle {
namespace {

constexpr const char* kInheritedVariable = "PERCYCLE_WORKER_HANDLES";
/// Exit status of a process that kill() ended; no program uses it.
constexpr DWORD kKilled = 0xE0706B6C;

/// A word of a command line, quoted as CommandLineToArgvW reads it.
std::wstring quoted(const std::string& word) {
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t letter : wide(word)) {
    // Those before a quotation mark count twice.
    if (letter == L'"') text.append(backslashes + 1, L'\\');
    backslashes = letter == L'\\' ? backslashes + 1 : 0;
    text += letter;
  }
  text.append(backslashes, L'\\');
  return text + L'"';
}

std::wstring command_line(const Launch& launch) {
  std::wstring line = quoted(launch.name);
  for (const std::string& argument : launch.arguments) line += L' ' + quoted(argument);
  return line;
}

/// This process's environment with these changes, in the form that CreateProcess expects.
std::wstring merged(const Environment& changes) {
  std::vector<std::wstring> all;
  wchar_t* const ours = GetEnvironmentStringsW();
  for (const wchar_t* each = ours; *each != L'\0'; each += std::wcslen(each) + 1) {
    const std::wstring variable = each;
    const std::wstring name = variable.substr(0, variable.find(L'=', 1));  // some names begin with '='
    const auto is_name = [&](const auto& change) { return _wcsicmp(wide(change.first).c_str(), name.c_str()) == 0; };
    if (std::ranges::none_of(changes, is_name)) all.push_back(variable);
  }
  FreeEnvironmentStringsW(ours);
  for (const auto& [name, value] : changes) all.push_back(wide(name) + L'=' + wide(value));
  std::ranges::sort(all,
                    [](const std::wstring& one, const std::wstring& other) { return _wcsicmp(one.c_str(), other.c_str()) < 0; });
  std::wstring block;
  for (const std::wstring& variable : all) block += variable + L'\0';
  return block + L'\0';
}

/// A copy of the handle that a started program inherits; closed if there is none.
File inheritable(HANDLE original) {
  HANDLE copy = INVALID_HANDLE_VALUE;
  if (original == nullptr || original == INVALID_HANDLE_VALUE) return {};
  if (DuplicateHandle(GetCurrentProcess(), original, GetCurrentProcess(), &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) == 0) return {};
  return File(to_native(copy));
}

/// A job that ends its processes when its last handle is closed, as by the end of this process.
File make_job() {
  File job(to_native(CreateJobObjectW(nullptr, nullptr)));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  SetInformationJobObject(handle(job.native()), JobObjectExtendedLimitInformation, &limits, sizeof(limits));
  return job;
}

/// A started program inherits these handles, and is in this job from its first instruction.
class Attributes {
 public:
  Attributes(std::vector<HANDLE> handles, HANDLE job) : handles_(std::move(handles)), job_(job) {
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 2, 0, &size);
    bytes_.resize(size);
    InitializeProcThreadAttributeList(list(), 2, 0, &size);
    UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(), handles_.size() * sizeof(HANDLE),
                              nullptr, nullptr);
    UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_JOB_LIST, &job_, sizeof(job_), nullptr, nullptr);
  }
  ~Attributes() { DeleteProcThreadAttributeList(list()); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  LPPROC_THREAD_ATTRIBUTE_LIST list() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(bytes_.data()); }

 private:
  std::vector<HANDLE> handles_;
  HANDLE job_;
  std::vector<std::byte> bytes_;
};

std::string exception_name(DWORD code) {
  switch (code) {
    case EXCEPTION_ACCESS_VIOLATION:
      return "access violation";
    case EXCEPTION_ILLEGAL_INSTRUCTION:
      return "illegal instruction";
    case EXCEPTION_INT_DIVIDE_BY_ZERO:
      return "division by zero";
    case EXCEPTION_STACK_OVERFLOW:
      return "stack overflow";
    case 0xC0000409:  // STATUS_STACK_BUFFER_OVERRUN: also the C runtime's fast-fail
      return "fail-fast";
    case 0xC000013A:  // STATUS_CONTROL_C_EXIT
      return "Ctrl-C";
    default:
      return fmt::format("exception {:#010x}", code);
  }
}

ProcessEnd end_of(DWORD status) {
  // Exceptions have their two highest bits set.
  return {(status >> 30) == 3, static_cast<int>(status)};
}

}  // namespace

std::string ProcessEnd::text() const {
  const DWORD status = static_cast<DWORD>(number);
  if (!killed) return fmt::format("exit status {}", number);
  return status == kKilled ? "killed" : fmt::format("killed by {}", exception_name(status));
}

struct Process::Running {
  File process;
  File job;
  File stop;  ///< an event, see stop_when_asked()
};

Process::Process(Process&& other) noexcept = default;

Process::Process(const Launch& launch) : running_(std::make_unique<Running>()) {
  const auto stream = [&](const File* given, DWORD ours) {
    return inheritable(given != nullptr ? handle(given->native()) : GetStdHandle(ours));
  };
  const File input = stream(launch.input, STD_INPUT_HANDLE);
  const File output = stream(launch.output, STD_ERROR_HANDLE);
  const File errors = stream(launch.errors, STD_ERROR_HANDLE);
  const File events = launch.events != nullptr ? inheritable(handle(launch.events->native())) : File();
  running_->job = make_job();
  running_->stop = File(to_native(CreateEventW(nullptr, TRUE, FALSE, nullptr)));
  const File stop = launch.events != nullptr ? inheritable(handle(running_->stop.native())) : File();
  std::vector<HANDLE> handles;
  for (const File* file : {&input, &output, &errors, &events, &stop}) {
    if (file->is_open()) handles.push_back(handle(file->native()));
  }
  Environment changes = launch.environment;
  if (launch.events != nullptr) changes.emplace_back(kInheritedVariable, fmt::format("{},{}", events.native(), stop.native()));

  Attributes attributes(std::move(handles), handle(running_->job.native()));
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof(start);
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = handle(input.native());
  start.StartupInfo.hStdOutput = handle(output.native());
  start.StartupInfo.hStdError = handle(errors.native());
  start.lpAttributeList = attributes.list();
  std::wstring line = command_line(launch);
  std::wstring environment = merged(changes);
  const DWORD flags =
      CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT | (launch.own_group ? CREATE_NEW_PROCESS_GROUP : 0);
  PROCESS_INFORMATION started{};
  if (CreateProcessW(launch.program.c_str(), line.data(), nullptr, nullptr, TRUE, flags, environment.data(), nullptr,
                     &start.StartupInfo, &started) == 0)
    throw std::system_error(last_error());
  CloseHandle(started.hThread);
  running_->process = File(to_native(started.hProcess));
}

Process::~Process() {
  if (!running_) return;
  kill();
  wait();
}

std::optional<ProcessEnd> Process::wait(std::chrono::milliseconds patience) {
  if (end_) return end_;
  const HANDLE process = handle(running_->process.native());
  const auto time = std::clamp<std::chrono::milliseconds::rep>(patience.count(), 0, INFINITE - 1);
  if (WaitForSingleObject(process, static_cast<DWORD>(time)) != WAIT_OBJECT_0) return std::nullopt;
  DWORD status = 0;
  GetExitCodeProcess(process, &status);
  end_ = end_of(status);
  running_.reset();  // with the job, the programs that it started end
  return end_;
}

ProcessEnd Process::wait() {
  while (!wait(std::chrono::hours(1))) {
  }
  return *end_;
}

void Process::ask_to_stop() const {
  if (running_) SetEvent(handle(running_->stop.native()));
}

void Process::kill() const {
  if (running_) TerminateJobObject(handle(running_->job.native()), kKilled);
}

File::Native inherited(Inherited which) {
  const std::string text = environment_variable(kInheritedVariable).value_or("");
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return File().native();
  const std::string number = which == Inherited::events ? text.substr(0, comma) : text.substr(comma + 1);
  return std::atoi(number.c_str());
}

File move_to_high(int stream) {
  // Handles are not numbered from below as descriptors are: no other code knows this one.
  const bool is_input = stream == kRequestStream;
  const HANDLE original = is_input ? GetStdHandle(STD_INPUT_HANDLE) : handle(inherited(Inherited::events));
  HANDLE moved = INVALID_HANDLE_VALUE;
  DuplicateHandle(GetCurrentProcess(), original, GetCurrentProcess(), &moved, 0, FALSE,
                  DUPLICATE_SAME_ACCESS | DUPLICATE_CLOSE_SOURCE);
  if (is_input) {
    SetStdHandle(STD_INPUT_HANDLE, CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING,
                                               FILE_ATTRIBUTE_NORMAL, nullptr));
  }
  return File(to_native(moved));
}

std::filesystem::path this_program() {
  std::wstring path(32768, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

}  // namespace percycle
