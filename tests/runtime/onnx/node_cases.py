#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python3-onnx's generated node tests, a folder each: model.onnx, inputs.txt (names), ops.txt, inputN.npy,
outputN.npy. What numpy has no type for is in inputN.bf16.npy, as int16.

node_cases.py FOLDER OP...: those whose nodes are all of the given ops.
"""
import os
import sys

import numpy

# Debian's onnx is older than its numpy.
for name, kind in {"float": float, "int": int, "bool": bool, "object": object, "str": str}.items():
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)

from onnx import TensorProto  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402


def save(path, value, array):
    tensor = value.type.tensor_type
    declared = [dim.dim_value for dim in tensor.shape.dim]
    if numpy.size(array) == 1 < numpy.prod(declared):
        # CastLike's operand that only says a type has fewer elements than it declares.
        array = numpy.array(numpy.broadcast_to(array, declared))
    if tensor.elem_type == TensorProto.BFLOAT16:
        numpy.save(path + ".bf16.npy", array.view(numpy.int16))
    else:
        numpy.save(path + ".npy", numpy.asarray(array))


def main():
    folder, ops = sys.argv[1], set(sys.argv[2:])
    count = 0
    for case in collect_testcases(None):
        graph = case.model.graph
        used = {node.op_type for node in graph.node}
        if not used <= ops:
            continue
        path = os.path.join(folder, case.name)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "model.onnx"), "wb") as file:
            file.write(case.model.SerializeToString())
        with open(os.path.join(path, "inputs.txt"), "w", encoding="utf-8") as file:
            file.writelines(value.name + "\n" for value in graph.input)
        with open(os.path.join(path, "ops.txt"), "w", encoding="utf-8") as file:
            file.writelines(op + "\n" for op in used)
        inputs, outputs = case.data_sets[0]
        for kind, values, arrays in (("input", graph.input, inputs), ("output", graph.output, outputs)):
            for i, (value, array) in enumerate(zip(values, arrays)):
                save(os.path.join(path, f"{kind}{i}"), value, array)
        count += 1
    print(f"{count} node cases")


main()
