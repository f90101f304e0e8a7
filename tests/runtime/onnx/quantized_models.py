#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small quantized models beside the node tests, in the same format, with a file tolerance.txt.

quantized_models.py FOLDER. The models are a MobileNet in small, quantized as the exporters do it: "ort" as onnxruntime
(u8 activations, i8 weights with scales per channel, i32 biases), "torch" as PyTorch (i8 activations, float biases).
Expected outputs are computed here, with numpy in double precision: between DequantizeLinear and QuantizeLinear they
are plain convolutions and sums. A sum within rounding error of a tie may be rounded the other way elsewhere, hence the
tolerance: two quanta of the output.
"""
import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save


def conv(x, w, b, stride, groups):
    """3x3 convolutions are padded by 1."""
    pad = w.shape[2] // 2
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))[:, :, ::stride, ::stride]
    split = [np.einsum("nchwyx,ocyx->nohw", xs, ws)
             for xs, ws in zip(np.split(windows, groups, 1), np.split(w, groups, 0))]
    return np.concatenate(split, 1) + b.reshape(1, -1, 1, 1)


def max_pool(x):
    windows = np.lib.stride_tricks.sliding_window_view(x, (2, 2), (2, 3))[:, :, ::2, ::2]
    return windows.max((4, 5))


class Model:
    """The ONNX graph and, by name, the double precision value of each tensor on the way."""

    def __init__(self, style):
        self.torch = style == "torch"
        self.kind, self.least = (np.int8, -128) if self.torch else (np.uint8, 0)
        self.random = np.random.default_rng(7)
        self.nodes, self.constants, self.values = [], [], {}
        self.scales = {}
        self.count = 0

    def node(self, op, inputs, value, **attributes):
        self.count += 1
        name = f"t{self.count}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        self.values[name] = value
        return name

    def constant(self, array):
        self.count += 1
        name = f"t{self.count}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def through(self, x, like=None):
        """Quantizes and dequantizes; with the scale of `like`, or one that just holds all values."""
        value = self.values[x]
        if like is None:
            low, high = min(value.min(), 0.0), max(value.max(), 0.0)
            scale = np.float32((high - low) / 255)
            zero = int(np.clip(np.rint(self.least - low / scale), self.least, self.least + 255))
            parameters = [self.constant(scale), self.constant(self.kind(zero))]
        else:
            scale, zero, parameters = self.scales[like]
        q = np.clip(np.rint((value.astype(np.float32) / scale).astype(float)) + zero, self.least, self.least + 255)
        integers = self.node("QuantizeLinear", [x] + parameters, q)
        y = self.node("DequantizeLinear", [integers] + parameters, (q - zero) * float(scale))
        self.scales[y] = (scale, zero, parameters)
        return y

    def weights(self, shape, x):
        """Weight and bias with scales per channel of axis 0, and their values."""
        w = self.random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))
        b = self.random.standard_normal(shape[0]) / 4
        scales = (np.abs(w).reshape(shape[0], -1).max(1) / 127).astype(np.float32)
        column = scales.astype(float).reshape([-1] + [1] * (len(shape) - 1))
        q = np.clip(np.rint(w / column), -127, 127)
        zeros = self.constant(np.zeros(shape[0], np.int8))
        inputs = [self.constant(q.astype(np.int8)), self.constant(scales), zeros]
        weight = self.node("DequantizeLinear", inputs, q * column, axis=0)
        if self.torch:
            return weight, self.constant(b.astype(np.float32)), q * column, b.astype(np.float32).astype(float)
        sums = (scales * self.scales[x][0]).astype(np.float32)
        b = np.rint(b / sums)
        inputs = [self.constant(b.astype(np.int32)), self.constant(sums)]
        bias = self.node("DequantizeLinear", inputs, b * sums.astype(float), axis=0)
        return weight, bias, q * column, b * sums.astype(float)

    def conv(self, x, shape, stride=1, groups=1, activation=None):
        weight, bias, w, b = self.weights(shape, x)
        value = conv(self.values[x], w, b, stride, groups)
        pads = [shape[2] // 2] * 4
        y = self.node("Conv", [x, weight, bias], value, strides=[stride] * 2, pads=pads, group=groups)
        if activation == "Relu":
            y = self.node("Relu", [y], np.maximum(value, 0))
        if activation == "Clip":
            bounds = [self.constant(np.float32(0)), self.constant(np.float32(1.5))]
            y = self.node("Clip", [y] + bounds, np.clip(value, 0, 1.5))
        return self.through(y)

    def build(self):
        self.values["x"] = self.random.standard_normal((1, 3, 17, 14)).astype(np.float32)
        x = self.conv(self.through("x"), (8, 3, 3, 3), stride=2, activation="Relu")
        y = self.conv(x, (24, 8, 1, 1), activation="Clip")
        y = self.conv(y, (24, 1, 3, 3), groups=24, activation="Clip")
        y = self.conv(y, (8, 24, 1, 1))
        y = self.through(self.node("Add", [x, y], self.values[x] + self.values[y]))
        y = self.through(self.node("MaxPool", [y], max_pool(self.values[y]), kernel_shape=[2, 2], strides=[2, 2]), y)
        both = self.node("Concat", [y, y], np.concatenate([self.values[y]] * 2, 1), axis=1)
        y = self.conv(self.through(both, y), (12, 4, 3, 3), groups=4)
        y = self.through(self.node("GlobalAveragePool", [y], self.values[y].mean((2, 3), keepdims=True)))
        y = self.through(self.node("Flatten", [y], self.values[y].reshape(1, -1)), y)
        weight, bias, w, b = self.weights((10, 12), y)
        y = self.through(self.node("Gemm", [y, weight, bias], self.values[y] @ w.T + b, transB=1))
        return y, 2 * float(self.scales[y][0])


def write(folder, style):
    model = Model(style)
    output, tolerance = model.build()
    path = os.path.join(folder, "quantized_" + style)
    os.makedirs(path, exist_ok=True)
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, model.values["x"].shape)]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, model.values[output].shape)]
    graph = helper.make_graph(model.nodes, style, inputs, outputs, model.constants)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), os.path.join(path, "model.onnx"))
    np.save(os.path.join(path, "input0.npy"), model.values["x"])
    np.save(os.path.join(path, "output0.npy"), model.values[output].astype(np.float32))
    for name, text in (("inputs.txt", "x\n"), ("tolerance.txt", f"{tolerance}\n")):
        with open(os.path.join(path, name), "w", encoding="utf-8") as file:
            file.write(text)


for which in ("ort", "torch"):
    write(sys.argv[1], which)
