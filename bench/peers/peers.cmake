# SPDX-License-Identifier: Apache-2.0
#
# dimorder_peers: the naive loop and the other libraries that are installed. Each may be missing.
add_library(dimorder_peers STATIC peers/naive.cc peers/peers.cc peers/permutation.cc peers/race.cc)
target_link_libraries(dimorder_peers PUBLIC dimorder_benchlib)
set(peers naive)

# dimorder_peer(NAME libraries...): builds peers/NAME.cc with them. Other people's headers are not held to our warnings.
function(dimorder_peer name)
  string(TOUPPER ${name} upper)
  target_sources(dimorder_peers PRIVATE peers/${name}.cc)
  set_source_files_properties(peers/${name}.cc PROPERTIES COMPILE_OPTIONS -w)
  target_compile_definitions(dimorder_peers PRIVATE DIMORDER_PEER_${upper})
  target_link_libraries(dimorder_peers PRIVATE ${ARGN})
  set(peers ${peers} ${name} PARENT_SCOPE)
endfunction()

find_package(Eigen3 QUIET)
if(TARGET Eigen3::Eigen)
  dimorder_peer(eigen Eigen3::Eigen)
endif()

find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(OPENBLAS QUIET IMPORTED_TARGET openblas)
endif()
if(TARGET PkgConfig::OPENBLAS)
  dimorder_peer(openblas PkgConfig::OPENBLAS)
endif()

find_library(DIMORDER_DNNL dnnl)
find_path(DIMORDER_DNNL_INCLUDE dnnl.hpp)
find_package(OpenMP QUIET COMPONENTS CXX)
if(DIMORDER_DNNL AND DIMORDER_DNNL_INCLUDE AND TARGET OpenMP::OpenMP_CXX)
  dimorder_peer(onednn ${DIMORDER_DNNL} OpenMP::OpenMP_CXX)
endif()

# Not every compiler takes libtorch's headers as C++20: clang does not take those of Debian 12.
find_library(DIMORDER_TORCH torch_cpu)
find_library(DIMORDER_C10 c10)
if(DIMORDER_TORCH AND DIMORDER_C10)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -std=c++20)
  set(CMAKE_REQUIRED_LIBRARIES ${DIMORDER_TORCH} ${DIMORDER_C10})
  check_cxx_source_compiles("#include <ATen/ATen.h>\nint main() { return at::ones({1}).dim() - 1; }" DIMORDER_TORCH_COMPILES)
endif()
if(DIMORDER_TORCH_COMPILES)
  dimorder_peer(torch ${DIMORDER_TORCH} ${DIMORDER_C10})
endif()

message(STATUS "Peers of dimorder-bench: ${peers}")
