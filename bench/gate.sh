#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Does a change make moves slower? Builds libdimorder.so of two revisions with the same flags and times each against the
# other in one process: bench/gate/README.md says how, and what the answers mean.
#
#   bench/gate.sh                         the working tree against the merge base with main, and against results/baseline
#   bench/gate.sh --base v0.1 --head HEAD
#
#   --base REV            compare with this revision instead; may be given several times
#   --head REV            judge this revision instead of the working tree (its tracked files)
#   --budget SECONDS      for all of it, building included; default 600
#   --seed N              decides all orders; default: from the clock
#   --no-skip             time cases whose machine code is the same, too
#   --filter REGEX        only the gated cases that match
#   --out DIRECTORY       where gate.md and gate.json go; default build/gate
#   --head-option OPTION  a CMake option for head only, as -DDIMORDER_GATE_VARIANT=walk:100; may be given several times
#
# Exit code: 0 pass, improved or inconclusive; 1 a confirmed regression; 2 nothing could be compared.
set -Eeuo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
began=$SECONDS
trap 'exit 2' ERR  # what fails here says nothing of speed

# broken MESSAGE [COMMAND-THAT-HELPS]
broken() {
  echo "gate: $1" >&2
  [[ -z "${2:-}" ]] || echo "  $2" >&2
  exit 2
}

bases=() head="" budget=600 seed="$(date +%s)" out=build/gate head_options=() pass_on=()
while (($#)); do
  case "$1" in
    --no-skip) pass_on+=("$1") ;;
    --help)
      sed -n '4,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
      exit 0
      ;;
    --base | --head | --budget | --seed | --filter | --out | --head-option)
      (($# > 1)) || broken "$1 needs a value"
      case "$1" in
        --base) bases+=("$2") ;;
        --head) head="$2" ;;
        --budget) budget="$2" ;;
        --seed) seed="$2" ;;
        --filter) pass_on+=("--filter=$2") ;;
        --out) out="$2" ;;
        --head-option) head_options+=("$2") ;;
      esac
      shift
      ;;
    *) broken "$1: unknown" "bench/gate.sh --help" ;;
  esac
  shift
done
[[ "$budget" =~ ^[0-9]+$ ]] || broken "--budget $budget: not a number of seconds"

# commit_of REV: its full id. A shallow clone lacks most revisions: say how to get them.
commit_of() {
  local help="git fetch origin $1"
  [[ "$(git rev-parse --is-shallow-repository)" == false ]] || help="git fetch --unshallow origin"
  git rev-parse --verify --quiet "$1^{commit}" || broken "this clone lacks the revision $1" "$help"
}

# The commit to compare the head with: where its branch left main, or the commit before it on main itself.
merge_base_of() {
  local main commit
  for main in refs/remotes/origin/main refs/heads/main; do
    git rev-parse --verify --quiet "$main" >/dev/null || continue
    commit="$(git merge-base "$1" "$main" || true)"
    if [[ -n "$commit" && "$commit" != "$1" ]]; then
      echo "$commit"
      return
    fi
  done
  commit_of "$1~1"
}

# link_layouts DIRECTORY: links the library of a build many times over, its object files in another order each time. Where
# code lies relative to other code changes the speed of branchy code by several percent even where functions are aligned;
# the gate takes another layout for each process, so that no revision owes its speed to a lucky one. It is called where
# neither -e nor the trap acts, so each step says itself that it failed.
link_layouts() {
  local command objects i
  cd "$1" || return
  command="$(ninja -t commands dimorder | sed -n 's/^: && \(.* -shared .*\) && :$/\1/p')" || return
  objects="$(tr ' ' '\n' <<<"$command" | grep '\.o$')" || {
    echo "ninja names no command that links objects to a shared library"
    return 1
  }
  mkdir layouts || return
  for i in {1..16}; do
    awk -v shuffled="$(shuf --random-source=<(yes "$i") <<<"$objects" | paste -sd' ')" -v out="layouts/$i.so" '{
      split(shuffled, order, " ")
      for (word = 1; word <= NF; ++word) {
        if ($word ~ /\.o$/) $word = order[++object]
        if ($(word - 1) == "-o") $word = out
      }
      print
    }' <<<"$command" | bash -e || return
  done
}

# What keeps the compiler from kernels that plans do not take on this processor: half of them where it has no AVX-512.
# None where DIMORDER_TARGET says which are run.
without_other_targets() {
  [[ -z "${DIMORDER_TARGET:-}" ]] || return 0
  local others=HWY_SSSE3+HWY_SSE4
  case " $(sed -n '/^flags/{p;q}' /proc/cpuinfo) " in
    *" avx512bw "*) ;; # on Zen 4 some plans go by AVX2
    *" avx2 "*) others+=+HWY_AVX3+HWY_AVX3_DL ;;
    *) return 0 ;;
  esac
  echo "-DHWY_DISABLED_TARGETS=$others"
}

# build COMMIT [OPTION...]: prints the directory of its build, which is there already if it was built before. Keyed by
# the sources, the compiler, Highway and this function.
build() {
  local commit="$1" key directory source flags
  flags="${CXXFLAGS:-} $(without_other_targets)"
  shift
  key="$({
    git ls-tree "$commit" CMakeLists.txt include kernels dispatch bench/gate/variants tests/mutations/edit.cmake
    "${CXX:-c++}" --version
    dpkg-query -W libhwy-dev 2>/dev/null || pkg-config --modversion libhwy
    declare -f build link_layouts
    cat bench/gate/exports.map
    printf '%s\n' "$flags" "$@"
  } | sha256sum | cut -c1-16)"
  directory="$PWD/build/gate/$key"
  if [[ ! -e "$directory/built" ]]; then
    source="$directory/source"
    rm -rf "$directory"
    mkdir -p "$directory"
    {
      git worktree add --force --detach "$source" "$commit" &&
        cmake -S "$source" -B "$directory" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
          -DDIMORDER_BUILD_TESTS=OFF -DDIMORDER_BUILD_BENCH=OFF -DDIMORDER_BUILD_OPENMP=OFF -DDIMORDER_INSTALL=OFF \
          -DCMAKE_CXX_FLAGS="$flags -ffunction-sections -fdata-sections -falign-functions=64 -falign-loops=32 \
            -ffile-prefix-map=$source=." \
          -DCMAKE_SHARED_LINKER_FLAGS="-Wl,-Bsymbolic -Wl,--version-script=$PWD/bench/gate/exports.map" "$@" &&
        cmake --build "$directory" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" --target dimorder &&
        (link_layouts "$directory")
    } >"$directory/log" 2>&1 || {
      tail -n 20 "$directory/log" >&2
      git worktree remove --force "$source" || true
      broken "$commit does not build" "less $directory/log"
    }
    git worktree remove --force "$source"
    touch "$directory/built"
  fi
  echo "$directory"
}

bash .ci/apt.sh git
git rev-parse --git-dir >/dev/null || broken "no usable git clone here: see git's message above"
mkdir -p "$out"
rm -f "$out/gate.md" "$out/gate.json"

# The working tree as a commit; without changes that is HEAD.
if [[ -z "$head" ]]; then
  head="$(git stash create)"
  head="${head:-HEAD}"
fi
head_commit="$(commit_of "$head")"

names=() commits=()
# add_base NAME REV: unless it is there already.
add_base() {
  local commit
  commit="$(commit_of "$2")"
  [[ " ${commits[*]} " == *" $commit "* ]] && return
  commits+=("$commit")
  names+=("$1")
}
if ((${#bases[@]})); then
  for base in "${bases[@]}"; do add_base "$base" "$base"; done
else
  base="$(merge_base_of "$head_commit")"
  add_base "merge base" "$base"
  baseline="$(sed -n '/^[^#]/{p;q}' results/baseline)"
  [[ -n "$baseline" ]] || broken "results/baseline names no commit"
  add_base results/baseline "$baseline"
fi

bash .ci/apt.sh cmake ninja-build g++ pkg-config libhwy-dev libbenchmark-dev libgtest-dev libgmock-dev
export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
cmake --preset release >"$out/log" && cmake --build --preset release --parallel \
  "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" --target dimorder-gate >>"$out/log" || {
  tail -n 20 "$out/log" >&2
  broken "the gate does not build" "less $out/log"
}

arguments=()
: >"$out/accepted"
for i in "${!commits[@]}"; do
  base="$(git rev-parse --short=12 "${commits[i]}")"
  directory="$(build "${commits[i]}")"
  arguments+=("--base=${names[i]},$base,$directory")
  # Announced slowdowns, of the commits that head has and this base lacks.
  bench/gate/accepted.sh "${commits[i]}..$head_commit" | sed "s/^/$base\t/" >>"$out/accepted"
done
directory="$(build "$head_commit" ${head_options[@]+"${head_options[@]}"})"
arguments+=("--head=head,$(git rev-parse --short=12 "$head_commit")${head_options[*]+ ${head_options[*]}},$directory")

printf '%s\n' "${arguments[@]}" >"$out/arguments"
exec build/release/bench/dimorder-gate "${arguments[@]}" --budget="$((budget - (SECONDS - began)))" --seed="$seed" \
  --accepted="$out/accepted" --markdown="$out/gate.md" --json="$out/gate.json" ${pass_on[@]+"${pass_on[@]}"}
