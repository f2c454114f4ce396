"""The network of the bench `mlp` under ONNX Runtime: the median of a run, in seconds, for each batch.

    python3 mlp.py THREADS BATCH...
"""
import sys
import time

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

LAYERS = [784, 512, 512, 10]


def model(batch):
    nodes, weights, value = [], [], "x"
    for i, (rows, columns) in enumerate(zip(LAYERS, LAYERS[1:])):
        weights.append(numpy_helper.from_array(np.full((rows, columns), 0.01, np.float32), f"w{i}"))
        weights.append(numpy_helper.from_array(np.zeros(columns, np.float32), f"b{i}"))
        nodes.append(helper.make_node("Gemm", [value, f"w{i}", f"b{i}"], [f"y{i}"]))
        value = f"y{i}"
        if i + 2 < len(LAYERS):
            nodes.append(helper.make_node("Relu", [value], [f"r{i}"]))
            value = f"r{i}"
    def of(name, width):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, [batch, width])

    graph = helper.make_graph(nodes, "mlp", [of("x", 784)], [of(value, 10)], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def main():
    threads, batches = int(sys.argv[1]), map(int, sys.argv[2:])
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    for batch in batches:
        session = ort.InferenceSession(model(batch).SerializeToString(), options)
        x = {"x": np.full((batch, 784), 0.5, np.float32)}
        times = []
        until = time.perf_counter() + 1.0
        while time.perf_counter() < until:
            start = time.perf_counter()
            session.run(None, x)
            times.append(time.perf_counter() - start)
        print(sorted(times)[len(times) // 2])


main()
