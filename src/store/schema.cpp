#include "store/schema.hpp"

// GCC 12 sees an overlapping copy in valijson's std::string::replace that is none (GCC bug 105651); inlining defeats "system header".
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wrestrict"
#endif

#include <limits>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "store/schema_text.hpp"

namespace percycle {
namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

/// valijson 1.0 compares every integer as a signed 64-bit one, so that a seed of 2^63 or more seems negative. Returns the line
/// with such numbers cut to the largest signed one, which every limit of the schema treats alike.
json without_wide_integers(json value) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_structured()) {
    for (json& item : value) item = without_wide_integers(std::move(item));
  } else if (value.is_number_unsigned() && value.get<std::uint64_t>() > kLargest) {
    value = kLargest;
  }
  return value;
}

/// {"<root>", "[measurement]", "[samples]", "[3]"} to "measurement.samples[3]".
std::string path_of(const std::vector<std::string>& context) {
  std::string path;
  for (std::size_t i = 1; i < context.size(); ++i) {
    const std::string& step = context[i];
    if (step.size() > 2 && step[1] >= '0' && step[1] <= '9') {
      path += step;
    } else {
      if (!path.empty()) path += '.';
      path += step.substr(1, step.size() - 2);
    }
  }
  return path.empty() ? "the line" : path;
}

}  // namespace

struct RecordSchema::Compiled {
  valijson::Schema schema;
  valijson::Validator validator;
};

RecordSchema::RecordSchema() : compiled_(std::make_unique<Compiled>()) {
  const json document = json::parse(text());
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(document), compiled_->schema);
}

RecordSchema::~RecordSchema() = default;
RecordSchema::RecordSchema(RecordSchema&&) noexcept = default;
RecordSchema& RecordSchema::operator=(RecordSchema&&) noexcept = default;

std::optional<std::string> RecordSchema::violation(const json& line) {
  // Almost every line is valid; collecting reasons doubles the time, so that is done for a bad line only.
  if (compiled_->validator.validate(compiled_->schema, NlohmannJsonAdapter(line), nullptr)) return std::nullopt;
  const json narrow = without_wide_integers(line);
  valijson::ValidationResults results;
  if (compiled_->validator.validate(compiled_->schema, NlohmannJsonAdapter(narrow), &results)) return std::nullopt;
  valijson::ValidationResults::Error error;
  // The first is the innermost one; the rest says what that makes invalid on the way out.
  results.popError(error);
  return path_of(error.context) + ": " + error.description;
}

std::string_view RecordSchema::text() { return schema_text("record.schema.json"); }

}  // namespace percycle
