#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "check_words.hpp"
#include "core/error.hpp"
#include "store/append.hpp"
#include "store/gzip.hpp"
#include "store/load.hpp"
#include "store/record_json.hpp"
#include "store/runs.hpp"
#include "test_system.hpp"
#include "unit/store_examples.hpp"

namespace percycle::store_file_test {
namespace {

using examples::Folder;
using examples::read_text;
using examples::write_text;

const std::string kId = "0123456789abcdef";

std::string line(const Record& record) { return to_line(to_json(record)) + '\n'; }

nlohmann::json json_of(const Entry& entry) {
  return std::visit([](const auto& each) { return to_json(Record(each)); }, entry);
}

/// A header, a point and its result.
std::string sound_text() {
  return line(examples::header()) + line(Started{kId, examples::point(1024)}) + line(examples::ok(1024, 1.0 / 3));
}

void check_load_error(const std::filesystem::path& path, const std::string& text, const std::string& message) {
  write_text(path, text);
  CAPTURE(text);
  CHECK_THROWS_WITH_AS(load(path), (path.string() + message).c_str(), UsageError);
}

TEST_CASE("a document's figures are loaded and cannot pass for a run's, nor the reverse") {
  const Folder folder;
  const auto path = folder / "published.jsonl";
  const std::string published = line(examples::published_header());
  write_text(path, published + line(examples::figure(1024, 32)));
  const LoadedFile loaded = load(path);
  CHECK(loaded.headers.front().published());
  CHECK_FALSE(loaded.headers.front().simulated());
  REQUIRE(loaded.entries.size() == 1);
  CHECK(json_of(loaded.entries[0]) == to_json(Record(examples::figure(1024, 32))));

  const std::string not_published =
      ":2: a point under a published header has statistics only: no samples, no other data of a run";
  check_load_error(path, published + line(examples::ok(1024, 1)), not_published);
  check_load_error(path, published + line(Started{kId, examples::point(1024)}), not_published);
  check_load_error(path, published + line(Interrupted{kId, examples::point(1024)}), not_published);
  check_load_error(path, published + line(examples::ended(1024, Status::failed, "crashed")), not_published);
  for (const Header& run : {examples::header(), examples::simulated_header()}) {
    check_load_error(path, line(run) + line(examples::figure(1024, 32)),
                     ":2: a point without samples: only points under a published header have none");
  }
}

TEST_CASE("appended lines are loaded in order") {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  {
    RecordFile file = RecordFile::create(path);
    file.append(examples::header());
    file.append(Started{kId, examples::point(1024)});
    // On the disk before the next call, so that a crash loses nothing.
    CHECK(load(path).entries.size() == 1);
    file.append(examples::ok(1024, 1.0 / 3));
    file.append(examples::header("ffffffffffffffff"));
    file.append(Interrupted{"ffffffffffffffff", examples::point(2048)});
  }
  const LoadedFile loaded = load(path);
  CHECK(loaded.path == path);
  CHECK_FALSE(loaded.truncated);
  REQUIRE(loaded.headers.size() == 2);
  CHECK(to_json(loaded.headers[0]) == to_json(examples::header()));
  CHECK(loaded.headers[1].id == "ffffffffffffffff");
  REQUIRE(loaded.entries.size() == 3);
  CHECK(json_of(loaded.entries[0]) == to_json(Record(Started{kId, examples::point(1024)})));
  CHECK(json_of(loaded.entries[1]) == to_json(Record(examples::ok(1024, 1.0 / 3))));
  CHECK(json_of(loaded.entries[2]) == to_json(Record(Interrupted{"ffffffffffffffff", examples::point(2048)})));
}

TEST_CASE("a name that exists already gets a number") {
  const Folder folder;
  const auto path = folder / "run.1.jsonl";
  for (const char* name : {"run.1.jsonl", "run.1-2.jsonl", "run.1-3.jsonl"}) {
    RecordFile file = RecordFile::create_another(path);
    CHECK(file.path() == folder / name);
    file.append(examples::header());
  }
  CHECK(read_text(path) == line(examples::header()));
  CHECK_THROWS_AS(static_cast<void>(RecordFile::create_another(folder / "none" / "run.jsonl")), UsageError);
}

TEST_CASE("a last line cut at any byte is set apart, and resume drops it") {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  const std::string head = line(examples::header()) + line(Started{kId, examples::point(1024)});
  const std::string last = line(Started{kId, examples::point(2048)});
  for (std::size_t cut = 0; cut <= last.size(); ++cut) {
    CAPTURE(cut);
    write_text(path, head + last.substr(0, cut));
    const LoadedFile loaded = load(path);
    const bool partial = cut > 0 && cut < last.size();
    CHECK(loaded.entries.size() == (cut == last.size() ? 2 : 1));
    REQUIRE(loaded.truncated.has_value() == partial);
    if (partial) {
      CHECK(loaded.truncated->line == 3);
      CHECK(loaded.truncated->bytes == cut);
    }
    RecordFile::resume(path).append(Started{kId, examples::point(4096)});
    CHECK(read_text(path) == (cut == last.size() ? head + last : head) + line(Started{kId, examples::point(4096)}));
  }
}

TEST_CASE("resume finds the end of the last line however far back it is") {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  write_text(path, sound_text() + std::string(200'000, 'x'));
  { const RecordFile file = RecordFile::resume(path); }
  CHECK(read_text(path) == sound_text());
  write_text(path, std::string(200'000, 'x'));
  { const RecordFile file = RecordFile::resume(path); }
  CHECK(read_text(path).empty());
}

TEST_CASE("a crash in the very first line leaves a file without a header") {
  const Folder folder;
  write_text(folder / "run.jsonl", line(examples::header()).substr(0, 100));
  const LoadedFile loaded = load(folder / "run.jsonl");
  CHECK(loaded.headers.empty());
  CHECK(loaded.truncated->line == 1);
}

TEST_CASE("damage anywhere else is reported with file, line and cause") {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  const std::string header = line(examples::header());
  check_load_error(path, "", ": the file is empty, so it is no record file");
  check_load_error(path, "\n", ":1: an empty line");
  check_load_error(path, header + "\n", ":2: an empty line");
  check_load_error(path, header + header, ":2: a second header with the id 0123456789abcdef");
  check_load_error(path, line(Started{kId, examples::point(1)}), ":1: names the header 0123456789abcdef, which is not above it");
  check_load_error(path, header + "[]\n", ":2: the line: not an object");
  check_load_error(path, header + "{}\n", ":2: the line: 'kind' is missing");

  nlohmann::json surplus = to_json(Record(Started{kId, examples::point(1)}));
  surplus["surplus"] = 1;
  check_load_error(path, header + to_line(surplus) + '\n', ":2: the line: 'surplus' is not a known field");

  write_text(path, header + "hello\n" + header);
  try {
    load(path);
    FAIL("loaded");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).starts_with(path.string() + ":2: not JSON: "));
  }
}

/// The file in front of damage at this line.
void check_damaged(const LoadedFile& loaded, std::size_t line, const std::string& damage) {
  REQUIRE(loaded.truncated);
  CHECK(loaded.truncated->line == line);
  CHECK(loaded.truncated->damage == damage);
  CHECK(loaded.headers.size() + loaded.entries.size() == line - 1);
}

TEST_CASE("a compressed file, also of several members, is read like a plain one") {
  const Folder folder;
  const auto path = folder / "card.jsonl";  // the name does not matter
  write_text(path, gzip(sound_text()) + gzip(line(Started{kId, examples::point(2048)}) + "{\"kind\""));
  const LoadedFile loaded = load(path);
  CHECK(loaded.packed);
  CHECK(loaded.headers.size() == 1);
  CHECK(loaded.entries.size() == 3);
  REQUIRE(loaded.truncated);
  CHECK(loaded.truncated->line == 5);
  CHECK(loaded.truncated->bytes == 7);
  CHECK(loaded.truncated->damage.empty());
  write_text(path, sound_text());
  CHECK_FALSE(load(path).packed);
  check_load_error(path, gzip(line(examples::header()) + "[]\n"), ":2: the line: not an object");
  check_load_error(path, gzip(""), ": the file is empty, so it is no record file");
}

TEST_CASE("a compressed file cut at any byte has the whole lines before the cut") {
  const Folder folder;
  const auto path = folder / "card.jsonl.gz";
  const std::string whole = gzip(sound_text());
  std::size_t most = 0;
  for (std::size_t size = 2; size < whole.size(); ++size) {
    CAPTURE(size);
    write_text(path, whole.substr(0, size));
    try {
      const LoadedFile loaded = load(path);
      REQUIRE(loaded.truncated);
      check_damaged(loaded, loaded.truncated->line, "ends early");
      CHECK(loaded.truncated->line >= most);
      most = loaded.truncated->line;
    } catch (const UsageError& error) {
      CHECK(most == 0);
      CHECK(error.what() == path.string() + ": the compressed data ends early");
    }
  }
  CHECK(most == 4);
}

TEST_CASE("damage of a compressed file is named, and the lines before it are read") {
  const Folder folder;
  const auto path = folder / "card.jsonl.gz";
  const std::string first = gzip(line(examples::header()) + line(Started{kId, examples::point(1024)}));
  const std::string second = gzip(line(examples::ok(1024, 1.0 / 3)));

  std::string wrong = first;
  wrong[wrong.size() - 8] ^= 1;  // the checksum of the text
  write_text(path, wrong);
  check_damaged(load(path), 3, "has a wrong checksum, so any line may be wrong");

  wrong = second;
  wrong[10] |= 6;  // a kind of block that does not exist
  write_text(path, first + wrong);
  check_damaged(load(path), 3, "is damaged (invalid block type)");
  write_text(path, first + "and more");
  check_damaged(load(path), 3, "is damaged (incorrect header check)");
  check_load_error(path, "\x1f\x8b\x08 and so on\n\x01", ": the compressed data is damaged (unknown header flags set)");

  // A stored block whose text is no record: the wrong checksum explains it.
  const std::string block("\x1f\x8b\x08\0\0\0\0\0\0\x03\x01\x03\0\xfc\xff[]\n\1\1\1\1\x03\0\0\0", 26);
  write_text(path, first + block);
  check_damaged(load(path), 3, "has a wrong checksum, so any line may be wrong");
}

TEST_CASE("a file packed at once unpacks to its lines, with the same bytes each time") {
  const Folder folder;
  const std::vector<Record> records{examples::header(), Started{kId, examples::point(1024)}, examples::ok(1024, 1.0 / 3)};
  write_packed(folder / "a.gz", records);
  write_packed(folder / "b.gz", records);
  CHECK(read_text(folder / "a.gz") == gzip(sound_text()));
  CHECK(read_text(folder / "a.gz") == read_text(folder / "b.gz"));
  CHECK(load(folder / "a.gz").entries.size() == 2);
  CHECK_THROWS_AS(write_packed(folder / "a.gz", records), UsageError);
}

TEST_CASE("a long file is read whole and in order") {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  constexpr std::int64_t kPoints = 6'000;
  const auto id_of = [](std::int64_t point) { return fmt::format("{:016x}", point / 200); };
  std::string text;
  for (std::int64_t point = 0; point < kPoints; ++point) {
    if (point % 200 == 0) text += line(examples::header(id_of(point)));
    text += line(Started{id_of(point), {"latency", {{"stride", point}, {"filler", std::string(200, 'x')}}}});
  }
  write_text(path, text + "{\"kind\"");
  const LoadedFile loaded = load(path);
  CHECK(loaded.headers.size() == 30);
  REQUIRE(loaded.entries.size() == kPoints);
  bool in_order = true;
  for (std::int64_t point = 0; point < kPoints; ++point) {
    const auto& started = std::get<Started>(loaded.entries[static_cast<std::size_t>(point)]);
    in_order = in_order && started.header == id_of(point) && integer(started.point.parameters, "stride") == point;
  }
  CHECK(in_order);
  REQUIRE(loaded.truncated);
  CHECK(loaded.truncated->line == 30 + kPoints + 1);
  CHECK(loaded.truncated->bytes == 7);

  // Among several bad lines the first one is reported.
  const auto damage = [&](std::int64_t point) {
    const auto at = text.find(fmt::format("\"stride\":{}}}", point));
    REQUIRE(at != std::string::npos);
    text.insert(at, "x");
  };
  damage(2'400);
  damage(4'000);
  damage(5'999);
  write_text(path, text);
  try {
    load(path);
    FAIL("loaded");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).starts_with(path.string() + ":2414: not JSON: "));
  }
}

TEST_CASE("a newer schema is refused with both numbers, whatever its content") {
  const Folder folder;
  nlohmann::json header = to_json(examples::header());
  header["schema"] = 2;
  header["news"] = true;
  check_load_error(folder / "run.jsonl", to_line(header) + '\n',
                   ":1: written by a newer percycle (schema 2, this one reads up to 1)");
}

TEST_CASE("no flipped byte in the middle goes unnoticed as damage to the structure") {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  const std::string header = line(examples::header());
  const std::string point = line(Started{kId, examples::point(1024)});
  const std::string text = header + point + line(examples::ok(1024, 1));
  for (std::size_t i = header.size(); i < header.size() + point.size(); ++i) {
    CAPTURE(i);
    std::string damaged = text;
    // Never ASCII, never valid UTF-8 between ASCII.
    damaged[i] = static_cast<char>(damaged[i] ^ 0x80);
    write_text(path, damaged);
    try {
      load(path);
      FAIL("loaded");
    } catch (const UsageError& error) {
      CHECK(std::string(error.what()).starts_with(path.string() + ":2: "));
    }
  }
}

TEST_CASE("a number too large for a double is damage, not infinity") {
  const Folder folder;
  std::string text = sound_text();
  const std::string key = "\"idle_ns\":";
  text.replace(text.find(key), key.size() + 6, key + "1e999");
  write_text(folder / "run.jsonl", text);
  CHECK_THROWS_AS(load(folder / "run.jsonl"), UsageError);
}

TEST_CASE("a file that cannot be read says why") {
  const Folder folder;
  CHECK_WORDS("store.unreadable", masked(words_thrown<UsageError>([&] { load(folder / "none"); }), (folder / "none").string()));
  CHECK_THROWS_WITH_AS(load(folder / ""), ("cannot read " + (folder / "").string() + ": " + test_system::kIsFolder).c_str(),
                       UsageError);
}

TEST_CASE("several files are handed over in their order, each once, however long each takes") {
  const Folder folder;
  std::string longer = line(examples::header());
  for (std::int64_t i = 0; i < 3000; ++i) longer += line(examples::ok(1024 + i, 1));
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < 7; ++i) {
    paths.push_back((folder / fmt::format("{}.jsonl", 7 - i)).string());
    write_text(paths.back(), i % 3 == 0 ? longer : sound_text());
  }
  std::vector<std::string> taken;
  std::vector<std::size_t> entries;
  load_each(paths, [&](LoadedFile&& file) {
    taken.push_back(file.path.string());
    entries.push_back(file.entries.size());
  });
  CHECK(taken == paths);
  CHECK(entries == std::vector<std::size_t>{3000, 2, 2, 3000, 2, 2, 3000});
  load_each({}, [](LoadedFile&&) { FAIL("no file was named"); });
}

TEST_CASE("the first of several damaged files is named, after the files before it") {
  const Folder folder;
  std::string longer = line(examples::header());
  for (std::int64_t i = 0; i < 3000; ++i) longer += line(examples::ok(1024 + i, 1));
  write_text(folder / "sound.jsonl", sound_text());
  write_text(folder / "damaged.jsonl", longer + "{}\n");
  std::vector<std::string> taken;
  CHECK_THROWS_WITH_AS(
      load_each({(folder / "sound.jsonl").string(), (folder / "damaged.jsonl").string(), (folder / "none").string()},
                [&](LoadedFile&& file) { taken.push_back(file.path.filename().string()); }),
      doctest::Contains("damaged.jsonl:3002: "), UsageError);
  CHECK(taken == std::vector<std::string>{"sound.jsonl"});
}

TEST_CASE("no more than four files are read ahead") {
  const Folder folder;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < 5; ++i) paths.push_back((folder / fmt::format("{}.jsonl", i)).string());
  for (std::size_t i = 0; i < 4; ++i) write_text(paths[i], sound_text());
  std::size_t taken = 0;
  load_each(paths, [&](LoadedFile&&) {
    if (taken++ == 0) write_text(paths[4], sound_text());
  });
  CHECK(taken == 5);
}

TEST_CASE("create refuses existing and impossible files; resume refuses missing ones") {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  write_text(path, "precious");
  CHECK_WORDS("store.exists",
              masked(words_thrown<UsageError>([&] { static_cast<void>(RecordFile::create(path)); }), path.string()));
  CHECK(read_text(path) == "precious");
  const auto nowhere = folder / "no/run.jsonl";
  CHECK_WORDS("store.cannot-create",
              masked(words_thrown<UsageError>([&] { static_cast<void>(RecordFile::create(nowhere)); }), nowhere.string()));
  CHECK_WORDS("store.cannot-open",
              masked(words_thrown<UsageError>([&] { static_cast<void>(RecordFile::resume(nowhere)); }), nowhere.string()));
  CHECK_THROWS_AS(RecordFile::create(folder / ""), UsageError);
}

TEST_CASE("two writers cannot share a file") {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  const RecordFile first = RecordFile::create(path);
  CHECK_WORDS("store.in-use",
              masked(words_thrown<UsageError>([&] { static_cast<void>(RecordFile::resume(path)); }), path.string()));
}

TEST_CASE("a full disk is an error that names the file") {
  if (!std::filesystem::exists("/dev/full")) return;
  RecordFile file = RecordFile::create("/dev/full");
  CHECK_THROWS_WORDS("store.disk-full", RunError, file.append(examples::header()));
}

TEST_CASE("a line that fits only in part is taken back whole" * doctest::skip(!test_system::kLimitsFileSizes)) {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  RecordFile file = RecordFile::create(path);
  file.append(examples::header());
  const std::string before = read_text(path);
  std::string message;
  {
    const test_system::FileSizeLimit limit(before.size() + 10);
    try {
      file.append(Started{kId, examples::point(1024)});
    } catch (const RunError& error) {
      message = error.what();
    }
  }
  CHECK_WORDS("store.file-too-large", masked(message, path.string()));
  CHECK(read_text(path) == before);
}

TEST_CASE("nothing is written that would be refused when read") {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  RecordFile file = RecordFile::create(path);
  file.append(examples::header());
  const std::string before = read_text(path);

  PointRecord point = examples::ok(1024, 1);
  point.result.measurement->statistics["ns_per_op"].median = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(file.append(point), std::invalid_argument);
  point.result.measurement->statistics["ns_per_op"].median = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(file.append(point), std::invalid_argument);
  point.result.measurement->statistics["ns_per_op"].median = 0;
  CHECK_THROWS_AS(file.append(point), std::invalid_argument);
  point.result.measurement.reset();
  CHECK_THROWS_WORDS("store.refused-record", std::invalid_argument, file.append(point));
  CHECK(read_text(path) == before);
}

TEST_CASE("a moved file continues; the moved-from one writes nothing twice") {
  const Folder folder;
  RecordFile first = RecordFile::create(folder / "run.jsonl");
  RecordFile second = std::move(first);
  second.append(examples::header());
  second = RecordFile::create(folder / "other.jsonl");
  second.append(examples::header());
  CHECK(second.path() == folder / "other.jsonl");
  CHECK(load(folder / "run.jsonl").headers.size() == 1);
  CHECK(load(folder / "other.jsonl").headers.size() == 1);
}

TEST_CASE("runs: each point once, with its last result") {
  const std::string other = "ffffffffffffffff";
  LoadedFile file;
  file.headers = {examples::header(), examples::header(other)};
  file.entries = {Started{kId, examples::point(1)},
                  examples::ended(1, Status::failed, "crashed"),
                  Started{kId, examples::point(2)},
                  Interrupted{kId, examples::point(2)},
                  Started{kId, examples::point(3)},
                  Started{other, examples::point(1)},
                  Interrupted{other, examples::point(1)},
                  Started{other, examples::point(1)},
                  Started{kId, examples::point(1)},
                  examples::ok(1, 5),
                  Started{kId, examples::point(1)},
                  Interrupted{kId, examples::point(4)},
                  examples::ok(4, 5)};
  const std::vector<Run> found = runs(file);
  REQUIRE(found.size() == 2);
  CHECK(found[0].header == &file.headers[0]);
  REQUIRE(found[0].points.size() == 4);
  REQUIRE(found[0].points[0].result);
  CHECK(found[0].points[0].result->outcome.status == Status::ok);
  CHECK(*found[0].points[1].point == examples::point(2));
  CHECK_FALSE(found[0].points[1].result);
  CHECK(found[0].points[0].last == PointHistory::Last::started);
  CHECK(found[0].points[1].last == PointHistory::Last::interrupted);
  CHECK_FALSE(found[0].points[2].result);
  CHECK(found[0].points[2].last == PointHistory::Last::started);
  CHECK(found[0].points[3].last == PointHistory::Last::result);
  REQUIRE(found[1].points.size() == 1);
  CHECK_FALSE(found[1].points[0].result);
  CHECK(found[1].points[0].last == PointHistory::Last::started);
}

}  // namespace
}  // namespace percycle::store_file_test
