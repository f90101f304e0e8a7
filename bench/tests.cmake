# SPDX-License-Identifier: Apache-2.0
find_package(GTest REQUIRED)
include(gate/tests.cmake)

add_executable(dimorder_bench_test cases_test.cc contender_test.cc duet_test.cc flags_test.cc
  kernels/kernel_case_test.cc limit_test.cc peers/peers_test.cc sampler_test.cc tables_test.cc)
target_link_libraries(dimorder_bench_test PRIVATE dimorder_peers GTest::gtest_main)
add_test(NAME bench_unit COMMAND dimorder_bench_test)
set_tests_properties(bench_unit PROPERTIES LABELS unit)

add_test(NAME bench_record COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run_test.sh ${CMAKE_CURRENT_BINARY_DIR}/run_test)
set_tests_properties(bench_record PROPERTIES LABELS unit)

if(NOT TARGET dimorder-bench)
  return()
endif()

# The program itself: a few rows timed as briefly as it can. These tests look at words and exit codes, never at times.
set(brief --benchmark_filter=^create/|^t2d/2x3/|^t2d/256x256/ --benchmark_min_time=0.001)
function(bench_test name expected)
  add_test(NAME bench_${name} COMMAND dimorder-bench ${ARGN})
  set_tests_properties(bench_${name} PROPERTIES LABELS unit PASS_REGULAR_EXPRESSION "${expected}")
endfunction()

bench_test(tables "Geometric means.*t2d-cache.*Own cases.*t2d/256x256/16.*Calls.*create/nchw2nhwc" ${brief})
bench_test(list "nchw2nhwc/1x64x56x56/4\n.*\noneshot/nchw2nhwc/1x8x4x4/4\n" --benchmark_list_tests --benchmark_filter=x4x4/4|1x64x56x56/4$)
bench_test(unknown_flag "unrecognized command-line flag: --sweet=quick" --sweet=quick)
bench_test(unknown_suite "--suite=tiny: not quick, standard or full" --suite=tiny)
bench_test(unknown_target "Nonsense.*this machine has" --target=Nonsense)

add_test(NAME bench_kernels COMMAND dimorder-bench-kernels --benchmark_filter=^Tile4/ --benchmark_min_time=0.001)
set_tests_properties(bench_kernels PROPERTIES LABELS unit FAIL_REGULAR_EXPRESSION "ERROR OCCURRED"
  PASS_REGULAR_EXPRESSION "Tile4/[A-Z0-9_]+/8192 .* ratio=")
