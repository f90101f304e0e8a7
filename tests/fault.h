// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_FAULT_H_
#define DIMORDER_TESTS_FAULT_H_

#include <string>

namespace dimorder::test {

// Makes a fault (SIGSEGV, SIGBUS) print the text last given to NoteForFault before it ends the process.
void InstallFaultHandler();
void NoteForFault(const std::string& text);

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_FAULT_H_
