#pragma once

namespace percycle {

/// The kind of a kernel's memory access.
enum class AccessKind { read, write, atomic };

/// The memory path an access takes.
enum class MemoryPath { global, texture, constant, local, scalar };

/// "global", "texture", "constant", "local" or "scalar".
const char* name_of(MemoryPath path);

/// "load", "store" or "atomic".
const char* name_of(AccessKind kind);

}  // namespace percycle
