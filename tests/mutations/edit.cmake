# SPDX-License-Identifier: Apache-2.0
#
# cmake -D IN=file -D OUT=file -D FROM=text -D TO=text -P edit.cmake: copies IN to OUT with FROM, which must stand in it
# exactly once, replaced by TO.
file(READ "${IN}" text)
string(FIND "${text}" "${FROM}" first)
string(FIND "${text}" "${FROM}" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
  message(FATAL_ERROR "the mutation no longer applies: '${FROM}' does not stand exactly once in ${IN}")
endif()
string(REPLACE "${FROM}" "${TO}" text "${text}")
file(WRITE "${OUT}" "${text}")
