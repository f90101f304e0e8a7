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

find_library(DIMORDER_TORCH torch_cpu)
find_library(DIMORDER_C10 c10)
find_path(DIMORDER_TORCH_INCLUDE ATen/ATen.h)
if(DIMORDER_TORCH AND DIMORDER_C10 AND DIMORDER_TORCH_INCLUDE)
  dimorder_peer(torch ${DIMORDER_TORCH} ${DIMORDER_C10})
endif()

message(STATUS "Peers of dimorder-bench: ${peers}")
