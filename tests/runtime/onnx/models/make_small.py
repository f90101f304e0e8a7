#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_small.py FOLDER: small.onnx, its input and its output, the latter by numpy alone (Debian: python3-onnx)."""
import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

random = np.random.default_rng(1)


def normal(*sizes):
    return random.standard_normal(sizes).astype(np.float32)


def conv(x, weight, bias, pad):
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, weight.shape[2:], axis=(2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, weight) + bias[:, None, None]


x = normal(1, 3, 10, 8)
constants = {
    "w1": normal(8, 3, 3, 3), "b1": normal(8), "w2": normal(5, 8, 1, 1), "b2": normal(5), "w3": normal(4, 10),
    "b3": normal(4),
}
c = constants
y = np.maximum(conv(x, c["w1"], c["b1"], 1), 0)
y = y.reshape(1, 8, 5, 2, 4, 2).max(axis=(3, 5))
z = conv(y, c["w2"], c["b2"], 0)
y = np.concatenate([z, z[:, :, ::-1, :]], axis=1).mean(axis=(2, 3)) @ c["w3"].T + c["b3"]

nodes = [
    helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1]),
    helper.make_node("Relu", ["c1"], ["r"]),
    helper.make_node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("Conv", ["p", "w2", "b2"], ["c2"]),
    helper.make_node("Slice", ["c2", "starts", "ends", "axes", "steps"], ["f"]),
    helper.make_node("Concat", ["c2", "f"], ["both"], axis=1),
    helper.make_node("GlobalAveragePool", ["both"], ["g"]),
    helper.make_node("Flatten", ["g"], ["v"]),
    helper.make_node("Gemm", ["v", "w3", "b3"], ["y"], transB=1),
]
for name, value in (("starts", -1), ("ends", -(2**31)), ("axes", 2), ("steps", -1)):
    constants[name] = np.array([value], np.int64)
graph = helper.make_graph(
    nodes, "small", [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, y.shape)],
    [numpy_helper.from_array(value, name) for name, value in constants.items()])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)
folder = pathlib.Path(sys.argv[1])
save(model, folder / "small.onnx")
np.save(folder / "small.input0.npy", x)
np.save(folder / "small.output0.npy", y.astype(np.float32))
