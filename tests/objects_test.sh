#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# objects_test.sh NM OBJECT...: fails when a library object can throw, end the process, assert or print.
#
# The proof is by names: an object that does one of these things refers to one of the symbols below. Only our own
# objects are read; Highway's library has an Abort, which we must not refer to.
set -euo pipefail

forbidden=(
  # ending the process
  'abort' '_?_?exit' '_Exit' 'quick_exit' 'raise' 'kill' 'std::terminate\(\)' 'std::abort\(\)' 'std::exit\(int\)'
  # assertions
  '__assert.*' 'std::__glibcxx_assert_fail\(.*' 'std::__replacement_assert\(.*' 'hwy::Abort\(.*' 'hwy::Warn\(.*'
  # stdio and streams
  '(v?[fsda]?n?w?printf|v?f?w?scanf|f?puts|f?putc|putchar|putw?c|fwrite|fread|f?gets|fopen|fdopen|freopen|fclose)(_unlocked)?(64)?'
  '__isoc.*scanf' '__v?[fsda]?n?w?printf_chk' 'fflush' 'perror' 'std(in|out|err)' 'write' 'v?syslog' 'v?(warn|err)x?'
  'std::(cout|cerr|clog|cin|basic_.*stream.*|ios_base.*|ostream.*|istream.*)'
  # exceptions
  '__cxa_throw' '__cxa_rethrow' '__cxa_allocate_exception' '__cxa_throw_bad_array_new_length' 'std::__throw_.*'
  'std::rethrow_exception\(.*' '__gxx_personality_.*' '_Unwind_.*'
  # operator new that throws
  'operator new(\[\])?\(unsigned (long|int)(, std::align_val_t)?\)'
)
pattern="^($(IFS='|'; echo "${forbidden[*]}"))(@.*)?$"

forbidden_among() { grep -E "$pattern" || true; }

# The pattern must catch what it is for: one planted name of each kind, and nothing among names that are allowed.
planted='abort
exit
_exit
__assert_fail
hwy::Abort(char const*, int, char const*, ...)
printf
vsnprintf
fputs
puts
__fprintf_chk
stderr
std::cout
std::ostream::operator<<(int)
__cxa_throw
std::__throw_length_error(char const*)
operator new(unsigned long)
operator new[](unsigned long, std::align_val_t)'
allowed='memcpy
getenv
atexit
__cxa_atexit
read
operator new(unsigned long, std::nothrow_t const&)
operator new(unsigned long, std::align_val_t, std::nothrow_t const&)
operator delete(void*)
dimorder::v1::ExecutePlan(dimorder::v1::PlanData const&, void const*, void*)'
if [[ "$(forbidden_among <<<"$planted")" != "$planted" || -n "$(forbidden_among <<<"$allowed")" ]]; then
  echo "objects_test: the pattern does not tell forbidden from allowed names" >&2
  exit 1
fi

nm="$1"
shift
if (($# == 0)); then
  echo "objects_test: no objects given" >&2
  exit 1
fi
offenders=0
for object in "$@"; do
  # Lines are "   U name"; a demangled name may hold spaces.
  names="$("$nm" -C --undefined-only "$object" | sed -E 's/^ *[UwW] //')"
  found="$(forbidden_among <<<"$names")"
  if [[ -n "$found" ]]; then
    offenders=$((offenders + 1))
    echo "$(basename "$object") refers to ${found//$'\n'/, }" >&2
  fi
done
echo "$# objects read, $offenders refer to forbidden names"
((offenders == 0))
