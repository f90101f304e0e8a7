#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python3-onnx's generated node tests, a folder each: model.onnx, inputs.txt (names), inputN.npy, outputN.npy.

node_cases.py FOLDER OP...: those whose nodes are all of the given ops.
"""
import os
import sys

import numpy

# Debian's onnx is older than its numpy.
for name, kind in {"float": float, "int": int, "bool": bool, "object": object, "str": str}.items():
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)

from onnx.backend.test.case.node import collect_testcases  # noqa: E402


def main():
    folder, ops = sys.argv[1], set(sys.argv[2:])
    count = 0
    for case in collect_testcases(None):
        if not {node.op_type for node in case.model.graph.node} <= ops:
            continue
        path = os.path.join(folder, case.name)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "model.onnx"), "wb") as file:
            file.write(case.model.SerializeToString())
        with open(os.path.join(path, "inputs.txt"), "w", encoding="utf-8") as file:
            file.writelines(value.name + "\n" for value in case.model.graph.input)
        inputs, outputs = case.data_sets[0]
        for kind, arrays in (("input", inputs), ("output", outputs)):
            for i, array in enumerate(arrays):
                numpy.save(os.path.join(path, f"{kind}{i}.npy"), numpy.asarray(array))
        count += 1
    print(f"{count} node cases")


main()
