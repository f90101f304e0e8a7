# SPDX-License-Identifier: Apache-2.0
# Run at every build, so that results name the commit that was built: writes HEADER, only when something changed.
execute_process(COMMAND git rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE_DIR}
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
execute_process(COMMAND git status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE_DIR}
                OUTPUT_VARIABLE changes ERROR_QUIET)
if(failed)
  set(commit unknown)
  set(dirty unknown)
elseif(changes STREQUAL "")
  set(dirty false)
else()
  set(dirty true)
endif()
file(CONFIGURE OUTPUT ${HEADER} @ONLY CONTENT [[
inline constexpr char kCommit[] = "@commit@";
inline constexpr char kDirty[] = "@dirty@";
]])
