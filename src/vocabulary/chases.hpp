#pragma once

namespace percycle {

/// Names that several chases and the readers of their points share.
namespace parameter {
inline constexpr const char* kPath = "path";
inline constexpr const char* kForm = "form";
inline constexpr const char* kTest = "test";            ///< which question a point asks
inline constexpr const char* kFootprint = "footprint";  ///< bytes walked
inline constexpr const char* kStride = "stride";        ///< bytes from node to node
inline constexpr const char* kNodes = "nodes";
inline constexpr const char* kColumns = "columns";       ///< nodes of a row
inline constexpr const char* kRowStride = "row_stride";  ///< bytes from row to row
inline constexpr const char* kGroup = "group";           ///< nodes that are visited one after the other
inline constexpr const char* kLevel = "level";           ///< of the hierarchy, from 1
inline constexpr const char* kBytes = "bytes";           ///< of one chain
}  // namespace parameter

}  // namespace percycle
