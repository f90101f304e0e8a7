// SPDX-License-Identifier: Apache-2.0
// Bytes before an object's code: whatever follows moves.
#define DIMORDER_GATE_TEXT(x) #x
#define DIMORDER_GATE_SKIP(x) ".skip " DIMORDER_GATE_TEXT(x) ", 0xcc\n"
asm(".pushsection .text\n" DIMORDER_GATE_SKIP(DIMORDER_GATE_AMOUNT) ".popsection\n");
