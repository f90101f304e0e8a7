#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh FLAVOUR SOURCE BUILD WORK: installs dimorder into WORK and lets projects outside the tree use it: C++ and C, by
# find_package and by pkg-config. FLAVOUR, shared or static, says which library; where the build in BUILD is of the
# other one, the script makes its own, without vectors and not optimized: that takes a fraction of the time, and
# packages do not depend on it. It is the build of a project that embeds dimorder, so that this use is tested, too.
# CMAKE, CC, CXX and NM in the environment name the tools.
set -euo pipefail

flavour="$1" source="$2" build="$3" work="$4"
consumers="$source/tests/install"
prefix="$work/prefix"

say() { echo "install test, $flavour: $*"; }

fail() {
  say "$@" >&2
  exit 1
}

# run_consumer NAME PROGRAM: the consumers check what they moved and print a line.
run_consumer() {
  local output
  output="$("$2" 2>&1)" || fail "$1 fails: $output"
  say "$1: $output"
}

install_library() {
  local shared=OFF
  [[ "$flavour" == shared ]] && shared=ON
  if ! grep -qx "BUILD_SHARED_LIBS:BOOL=$shared" "$build/CMakeCache.txt"; then
    build="$work/build"
    "$CMAKE" -S "$consumers/embed" -B "$build" -DBUILD_SHARED_LIBS="$shared" -DCMAKE_C_COMPILER="$CC" \
      -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="-DHWY_COMPILE_ONLY_SCALAR ${CXXFLAGS:-}" \
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DDIMORDER_BUILD_RUNTIME=ON -DDIMORDER_INSTALL=ON \
      >"$work/build.log" 2>&1 || fail "does not configure: $(cat "$work/build.log")"
    "$CMAKE" --build "$build" --parallel 2 >>"$work/build.log" || fail "no build: $(cat "$work/build.log")"
    run_consumer "add_subdirectory" "$build/consumer"
  fi
  # Installed in one place and used in another: packages must not remember where they were made.
  "$CMAKE" --install "$build" --prefix "$work/staging" >"$work/install.log"
  mv "$work/staging" "$prefix"
  if grep -rE --include='dimorder*.cmake' 'INTERFACE_[A-Z_]+ "([^"]*[;:>])?/' "$prefix"; then
    fail "its package names a path of this machine"
  fi
}

# What the shared library shows is the API and nothing else, and nothing in it slows it down on purpose.
check_exports() {
  local library others
  library="$(find "$prefix" -name 'libdimorder.so')"
  others="$("$NM" -DC --defined-only "$library" | cut -d' ' -f3- | grep -Ev '^(dimorder::|dimorder_)' || true)"
  [[ -z "$others" ]] || fail "exported besides the API: $others"
  if "$NM" -C "$library" | grep dimorder_gate; then fail "holds a hook that is for tests of the gate only"; fi
}

# Each library and the tool find the others where the loader looks by itself.
check_siblings() {
  local file lost
  while read -r file; do
    lost="$(LD_LIBRARY_PATH="" ldd "$file" | grep 'libdimorder.*not found' || true)"
    [[ -z "$lost" ]] || fail "$file: $lost"
  done < <(find "$prefix" -name 'libdimorder*.so' -o -name dimorder-run)
}

use_by_find_package() {
  local options=(-DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX"
    -DCMAKE_BUILD_TYPE=Release --no-warn-unused-cli)
  # The shared library's users need no Highway.
  [[ "$flavour" == static ]] || options+=(-DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON)
  local language program
  for language in c cpp; do
    "$CMAKE" -S "$consumers/$language" -B "$work/$language" "${options[@]}" >"$work/$language.log" ||
      fail "find_package in $language fails: $(cat "$work/$language.log")"
    "$CMAKE" --build "$work/$language" --verbose >>"$work/$language.log" ||
      fail "$language does not build: $(cat "$work/$language.log")"
    for program in "$work/$language"/consumer*; do
      if [[ -f "$program" ]]; then
        run_consumer "find_package, $(basename "$program") in $language" "$program"
      fi
    done
  done
}

# check_missing COMPONENT NEED [OPTION]: the C project does not find a static component, and reads what is missing.
check_missing() {
  [[ -n "$(find "$prefix" -name "dimorder-$1.cmake")" ]] || return 0
  local log="$work/missing_$1.log"
  if "$CMAKE" -S "$consumers/c" -B "$work/missing" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    -DCOMPONENTS="$1" "${@:3}" >"$log" 2>&1; then
    fail "finds $1 without $2"
  fi
  tr -s '[:space:]' ' ' <"$log" | grep -q "The static component $1 needs [^.]*$2" || fail "of $1: $(cat "$log")"
}

use_by_pkg_config() {
  local directory libraries flags
  directory="$(dirname "$(find "$prefix" -name dimorder.pc)")"
  libraries="$(dirname "$directory")"
  # The shared library's users need no other .pc file.
  if [[ "$flavour" == shared ]]; then
    export PKG_CONFIG_LIBDIR="$directory"
  else
    export PKG_CONFIG_PATH="$directory"
  fi
  flags="$(pkg-config --cflags --libs dimorder)"
  local strict=(-Wall -Wextra -Wpedantic -Werror)
  # shellcheck disable=SC2086  # flags are words
  "$CC" -std=c99 "${strict[@]}" "$consumers/c/consumer.c" -o "$work/pc_c" $flags
  # shellcheck disable=SC2086
  "$CXX" -std=c++20 "${strict[@]}" "$consumers/cpp/consumer.cc" -o "$work/pc_cpp" $flags
  export LD_LIBRARY_PATH="$libraries"
  run_consumer "pkg-config, C" "$work/pc_c"
  run_consumer "pkg-config, C++" "$work/pc_cpp"
}

rm -rf "$work"
mkdir -p "$work"
install_library
if [[ "$flavour" == shared ]]; then
  check_exports
  check_siblings
fi
use_by_find_package
if [[ "$flavour" == static ]]; then
  check_missing openmp OpenMP
  check_missing xnnpack XNNPACK -DXNNPACK_LIBRARY=
  if find "$prefix" -name dimorder-config.cmake -exec grep -q 'set(dimorder_HAS_ONNX ON)' {} +; then
    check_missing runtime ONNX -DCMAKE_DISABLE_FIND_PACKAGE_ONNX=ON
  fi
fi
use_by_pkg_config
say "passed"
