# SPDX-License-Identifier: Apache-2.0
#
# dimorder-gate: the program that bench/gate.sh builds and runs. It reads ELF files and spawns itself by /proc.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  return()
endif()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS gate/cases)
file(READ gate/cases gate_cases)
file(CONFIGURE OUTPUT ${generated}/bench/gate_cases_data.h @ONLY CONTENT [[
inline constexpr char kGateCases[] = R"cases(@gate_cases@)cases";
]])

add_library(dimorder_gatelib STATIC
  gate/accept.cc
  gate/entrant.cc
  gate/gate.cc
  gate/gated_rows.cc
  gate/inspect.cc
  gate/library.cc
  gate/lines.cc
  gate/object_code.cc
  gate/process.cc
  gate/report.cc
  gate/sample.cc
  gate/scope.cc
  gate/verdict.cc)
target_include_directories(dimorder_gatelib PRIVATE ${generated})
# gcc 12 warns about std::string's operator+ where nothing overlaps (its bug 105651).
target_compile_options(dimorder_gatelib PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_link_libraries(dimorder_gatelib PUBLIC dimorder_benchlib ${CMAKE_DL_LIBS})

add_executable(dimorder-gate gate/dimorder_gate.cc)
target_link_libraries(dimorder-gate PRIVATE dimorder_gatelib)
