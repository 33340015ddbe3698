#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>

#include "session/progress.hpp"
#include "unit/store_examples.hpp"

namespace percycle {
namespace {

/// The text that `action` writes to stderr.
std::string stderr_of(const std::function<void()>& action) {
  const examples::Folder folder;
  const auto path = folder / "stderr";
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0600);
  dup2(file, STDERR_FILENO);
  close(file);
  action();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  return examples::read_text(path);
}

TEST_CASE("progress: none says nothing") {
  CHECK(stderr_of([] {
          Progress progress(ProgressStyle::none);
          progress.device("card");
          progress.point("a point", 0, 2);
          progress.step("a step");
          progress.clear();
        }).empty());
}

TEST_CASE("progress: live rewrites one line and removes it") {
  CHECK(stderr_of([] {
          Progress progress(ProgressStyle::live);
          progress.device("card");
          progress.point("a point", 0, 2);
          progress.clear();
          progress.clear();  // nothing left to remove
        }) == "\r\033[Kcard: 1/2: a point\r\033[K");
  CHECK(stderr_of([] {
          Progress progress(ProgressStyle::live);
          progress.device("card");
          progress.point("a point", 0, 2);
        }) == "\r\033[Kcard: 1/2: a point\r\033[K");
}

TEST_CASE("progress: a step that is no point has a line of its own, in a log now and then") {
  CHECK(stderr_of([] {
          Progress progress(ProgressStyle::live);
          progress.device("card");
          progress.step("a step");
        }) == "\r\033[Kcard: a step\r\033[K");
  CHECK(stderr_of([] {
          Progress progress(ProgressStyle::plain);
          progress.device("card");
          progress.step("a step");
          progress.step("another");
          progress.point("a point", 0, 2);
        }) == "card: a step\ncard: 1/2: a point\n");
}

TEST_CASE("progress: from the second point on there is an estimate") {
  const auto text = stderr_of([] {
    Progress progress(ProgressStyle::live);
    progress.device("card");
    progress.point("a point", 0, 3);
    progress.point("another", 1, 3);
  });
  CHECK(text.find("\r\033[Kcard: 2/3, about ") != std::string::npos);
  CHECK(text.find(" s left: another") != std::string::npos);
}

TEST_CASE("progress: the estimate of a resumed run rests on what was measured now, and begins anew with each device") {
  const auto text = stderr_of([] {
    Progress progress(ProgressStyle::live);
    progress.device("card");
    progress.point("a point", 90, 100);
    progress.device("other");
    progress.point("a point", 1, 3);
  });
  CHECK(text.find("card: 91/100: a point") != std::string::npos);
  CHECK(text.find("other: 2/3: a point") != std::string::npos);
}

TEST_CASE("progress: a live line does not run over the terminal's edge") {
  const auto text = stderr_of([] {
    Progress progress(ProgressStyle::live);
    progress.device("card");
    progress.point(std::string(500, 'x'), 0, 2);
  });
  CHECK(text.size() == 4 + 110 + 4);
}

TEST_CASE("progress: plain prints the first point of each device whole, and not every one after it") {
  CHECK(stderr_of([] {
          Progress progress(ProgressStyle::plain);
          progress.device("card");
          progress.point(std::string(200, 'x'), 0, 3);
          progress.point("soon after", 1, 3);
          progress.clear();
          progress.device("other");
          progress.point("a point", 0, 3);
        }) == "card: 1/3: " + std::string(200, 'x') + "\nother: 1/3: a point\n");
}

}  // namespace
}  // namespace percycle
