// Carries the precompiled headers (CMakeLists.txt).
