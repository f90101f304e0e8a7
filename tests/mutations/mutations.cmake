# SPDX-License-Identifier: Apache-2.0
#
# Does the sweep see anything? Each mutation is one edit to a copy of a library source, made while building; the copy
# goes in front of the library, and the sweep must report a mismatch. An edit that no longer applies breaks the build.

# dimorder_mutation(NAME FILE UNIT FROM TO): FILE is edited, UNIT is the source that is compiled with it (FILE or one
# that includes it).
function(dimorder_mutation name file unit from to)
  set(root ${CMAKE_CURRENT_BINARY_DIR}/mutations/${name})
  set(mutated ${root}/${file})
  add_custom_command(OUTPUT ${mutated}
    COMMAND ${CMAKE_COMMAND} -D IN=${PROJECT_SOURCE_DIR}/${file} -D OUT=${mutated} -D "FROM=${from}" -D "TO=${to}"
            -P ${CMAKE_CURRENT_SOURCE_DIR}/mutations/edit.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/${file} ${CMAKE_CURRENT_SOURCE_DIR}/mutations/edit.cmake VERBATIM)
  if("${unit}" STREQUAL "${file}")
    add_library(mutant_${name} OBJECT ${mutated})
  else()
    # A mutated header is found before the real one.
    add_library(mutant_${name} OBJECT ${PROJECT_SOURCE_DIR}/${unit} ${mutated})
  endif()
  target_include_directories(mutant_${name} BEFORE PRIVATE ${root})
  dimorder_library_code(mutant_${name})
  target_link_libraries(mutant_${name} PRIVATE hwy::hwy)
  target_compile_options(mutant_${name} PRIVATE -O0)  # a quarter of the time to build, and as wrong

  add_executable(sweep_${name} $<TARGET_OBJECTS:sweep_objects> $<TARGET_OBJECTS:mutant_${name}>)
  target_link_libraries(sweep_${name} PRIVATE dimorder_testlib)
  # A mutant may crash after it was found out: what counts is the report.
  add_test(NAME mutation_${name} COMMAND sh -c "'$<TARGET_FILE:sweep_${name}>' --seed=1 --every=16 || true")
  set_tests_properties(mutation_${name} PROPERTIES LABELS mutation PROCESSORS 2 PASS_REGULAR_EXPRESSION "mismatch: ")
endfunction()

# The rows of the last tile are those of the one before it.
dimorder_mutation(wrong_tail kernels/tiles-down-inl.h kernels/x32.cc
  "const int64_t step = HWY_MIN(rows, kRows)"
  "const int64_t step = rows < kRows ? rows - 1 : kRows")

# The unfinished line is carried from the wrong place.
dimorder_mutation(wrong_carry kernels/staged-run-inl.h kernels/x32.cc
  "run.stage + run.bytes - kLineBytes, kLineBytes)"
  "run.stage + run.bytes - 2 * kLineBytes, kLineBytes)")

# An axis of size 1 takes its neighbour along.
dimorder_mutation(size_1_axis dispatch/problem.cc dispatch/problem.cc
  "    Axis axis = p->axes[a]"
  "    Axis axis = p->axes[p->axes[a].n == 1 ? a++ : a]")

dimorder_mutation(int32_offset dispatch/problem.cc dispatch/problem.cc
  "axes[a].*side = layout.stride(a)"
  "axes[a].*side = static_cast<int32_t>(layout.stride(a))")

# The source is read as if it were laid out as the destination is.
dimorder_mutation(wrong_source_strides dispatch/problem.cc dispatch/problem.cc
  "SetByteStrides(move.src, "
  "SetByteStrides(move.dst, ")
