#pragma once

namespace percycle {

/// Prints the cards with published figures, one line each, and the documents.
void print_published();

/// The same as JSON: `published`, an array of `name`, `vendor`, `documents` and `experiments`.
void print_published_json();

}  // namespace percycle
