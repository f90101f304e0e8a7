# SPDX-License-Identifier: Apache-2.0
if(NOT TARGET dimorder-gate)
  return()
endif()

# fixture.cc as several builds have it.
foreach(fixture plain moved kernel table planner)
  add_library(gate_fixture_${fixture} OBJECT gate/fixture.cc)
  string(TOUPPER ${fixture} macro)
  target_compile_definitions(gate_fixture_${fixture} PRIVATE FIXTURE_${macro})
  target_compile_options(gate_fixture_${fixture} PRIVATE -O1 -fPIC -ffunction-sections -fdata-sections)
  list(APPEND fixtures gate_fixture_${fixture})
endforeach()

add_executable(dimorder_gate_test gate/object_code_test.cc gate/report_test.cc gate/verdict_test.cc)
add_dependencies(dimorder_gate_test ${fixtures})
target_compile_definitions(dimorder_gate_test PRIVATE GATE_FIXTURES="${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles")
target_link_libraries(dimorder_gate_test PRIVATE dimorder_gatelib GTest::gmock GTest::gtest_main)
add_test(NAME gate_unit COMMAND dimorder_gate_test)
set_tests_properties(gate_unit PROPERTIES LABELS unit)

# What can be wrong with a call.
function(gate_test name expected)
  add_test(NAME gate_${name} COMMAND ${ARGN})
  set_tests_properties(gate_${name} PROPERTIES LABELS unit PASS_REGULAR_EXPRESSION "${expected}")
endfunction()
gate_test(unknown_flag "--bass=x: unknown" dimorder-gate --bass=x)
gate_test(bad_build "--base=a,b: not NAME,COMMIT,DIRECTORY" dimorder-gate --base=a,b)
gate_test(bad_budget "--budget=long: not a number" dimorder-gate --budget=long)
gate_test(no_library "no libraries in /nowhere/layouts" dimorder-gate --base=a,b,/nowhere --head=a,b,/nowhere)

find_program(git git)
if(git AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  gate_test(missing_base "this clone lacks the revision no-such-revision.*git fetch"
            ${PROJECT_SOURCE_DIR}/bench/gate.sh --base no-such-revision --out ${CMAKE_CURRENT_BINARY_DIR}/missing_base)
  add_test(NAME gate_trailers COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gate/trailers_test.sh
           ${CMAKE_CURRENT_BINARY_DIR}/trailers_test)
  add_test(NAME gate_baseline COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gate/baseline_test.sh
           ${CMAKE_CURRENT_BINARY_DIR}/baseline_test)
  set_tests_properties(gate_trailers gate_baseline PROPERTIES LABELS unit)
endif()

add_test(NAME gate_layouts COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gate/layouts_test.sh
         ${CMAKE_CURRENT_BINARY_DIR}/layouts_test)
set_tests_properties(gate_layouts PROPERTIES LABELS unit)

# The variants' edits still apply to the sources.
foreach(variant walk kernel lookup padding)
  add_test(NAME gate_variant_${variant} COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR}
           -B ${CMAKE_CURRENT_BINARY_DIR}/variants/${variant} -G ${CMAKE_GENERATOR} -DDIMORDER_GATE_VARIANT=${variant}:1
           -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
           -DDIMORDER_BUILD_TESTS=OFF -DDIMORDER_BUILD_BENCH=OFF -DDIMORDER_BUILD_OPENMP=OFF)
  set_tests_properties(gate_variant_${variant} PROPERTIES LABELS unit)
endforeach()

# The whole gate, on real libraries. It takes minutes and its answers are about time, so it runs on request only:
#   ctest --preset release -C perf -L perf
add_test(NAME gate_self CONFIGURATIONS perf COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gate/self_test.sh
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(gate_self PROPERTIES LABELS perf TIMEOUT 3600 RUN_SERIAL ON)
