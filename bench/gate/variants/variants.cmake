# SPDX-License-Identifier: Apache-2.0
#
# Libraries that are worse on purpose, or differ where it must not matter, to see what the gate makes of them. Included
# where the option DIMORDER_GATE_VARIANT is set, which only tests of the gate do; the sources are edited copies.
#
#   walk:PERMILLE    the executor's walk through a plan takes so much longer
#   kernel:PERMILLE  so does a call of a tile kernel
#   lookup:STEPS     a one-shot call begins with that many multiplications, each waiting for the one before
#   padding:BYTES    each object file's code begins with that many bytes more
string(REGEX MATCH "^([a-z]+):([0-9]+)$" matched "${DIMORDER_GATE_VARIANT}")
set(variant "${CMAKE_MATCH_1}")
set(variant_amount "${CMAKE_MATCH_2}")

# HEADER goes before all sources of TARGET.
function(dimorder_gate_include target header)
  target_compile_options(${target} PRIVATE -include ${PROJECT_SOURCE_DIR}/bench/gate/variants/${header})
  target_compile_definitions(${target} PRIVATE DIMORDER_GATE_AMOUNT=${variant_amount})
endfunction()

# In a copy of FILE, which takes the place of the original in TARGET, TEXT is followed by MORE.
function(dimorder_gate_insert target file text more)
  set(root ${PROJECT_BINARY_DIR}/variant)
  set(IN ${PROJECT_SOURCE_DIR}/${file})
  set(OUT ${root}/${file})
  set(FROM "${text}")
  set(TO "${text}${more}")
  include(${PROJECT_SOURCE_DIR}/tests/mutations/edit.cmake)
  dimorder_gate_include(${target} slow.h)
  target_include_directories(${target} BEFORE PRIVATE ${root})
  get_target_property(sources ${target} SOURCES)
  list(TRANSFORM sources REPLACE "^${file}$" "${OUT}")
  set_property(TARGET ${target} PROPERTY SOURCES ${sources})
endfunction()

if(variant STREQUAL "walk")
  dimorder_gate_insert(dimorder_dispatch dispatch/execute.cc
    "  Walker walker(piece, piece.SrcIn(job.src), piece.DstIn(job.dst), args);"
    "\n  const dimorder_gate::Slow slow;")
elseif(variant STREQUAL "kernel")
  dimorder_gate_insert(dimorder_kernels kernels/peel-inl.h
    "void Tile(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {" "\n  const dimorder_gate::Slow slow;")
elseif(variant STREQUAL "lookup")
  dimorder_gate_insert(dimorder_dispatch dispatch/one_shot.cc
    "Status Run(const Request request, const Options& options, const void* src, void* dst) {"
    "\n  dimorder_gate::Spin();")
elseif(variant STREQUAL "padding")
  dimorder_gate_include(dimorder_kernels padding.h)
  dimorder_gate_include(dimorder_dispatch padding.h)
else()
  message(FATAL_ERROR "DIMORDER_GATE_VARIANT=${DIMORDER_GATE_VARIANT}: there are walk:N, kernel:N, lookup:N, padding:N")
endif()
