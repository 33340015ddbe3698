#pragma once

namespace percycle {

/// Names shared by several chases and by the readers of their points.
namespace parameter {
inline constexpr const char* kPath = "path";
inline constexpr const char* kForm = "form";
inline constexpr const char* kTest = "test";            ///< the question of a point
inline constexpr const char* kFootprint = "footprint";  ///< bytes walked
inline constexpr const char* kStride = "stride";        ///< bytes from node to node
inline constexpr const char* kNodes = "nodes";
inline constexpr const char* kColumns = "columns";       ///< nodes of a row
inline constexpr const char* kRowStride = "row_stride";  ///< bytes from row to row
/// Nodes that are visited one after the other.
inline constexpr const char* kGroup = "group";
inline constexpr const char* kLevel = "level";  ///< level of the hierarchy, from 1
/// marks a second look, in another place of memory
inline constexpr const char* kAgain = "again";
/// In a walk without gaps: how many times the gaps are assumed to enlarge the level.
inline constexpr const char* kDivisor = "divisor";
inline constexpr const char* kBytes = "bytes";  ///< size of one chain
/// Local memory that a work-group declares.
inline constexpr const char* kLocalBytes = "local_bytes";
}  // namespace parameter

}  // namespace percycle
