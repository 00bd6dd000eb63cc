"""Puts trained layers into the ONNX graph of a model in int8."""

from collections.abc import Iterable

import numpy as np
from onnx import numpy_helper

from pair_model import PARTS


# 7 bits, because the products of 8 overflow their 16-bit sums on processors without VNNI.
MOST = 63


def put_layers(graph, state: dict, layers: Iterable[int], most: int = MOST) -> None:
    """@param most: the largest absolute value of a weight"""
    stored = {tensor.name: tensor for tensor in graph.initializer}

    def put(name: str, values: np.ndarray) -> None:
        stored[name].CopyFrom(numpy_helper.from_array(values, name))

    for at in layers:
        for theirs, ours in PARTS.items():
            target, source = f"encoder.layer.{at}.{theirs}", f"layers.{at}.{ours}"
            put(f"{target}.bias", state[f"{source}.bias"])
            if theirs.endswith("LayerNorm"):
                put(f"{target}.weight", state[f"{source}.weight"])
                continue
            values, scales = per_channel(state[f"{source}.weight"].T, most)
            put(f"{target}.weightT_quantized", values)
            put(f"{target}.weightT_scale", scales)
            put(f"{target}.weightT_zero_point", np.zeros(len(scales), np.int8))


def per_channel(weights: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """int8 with one scale a column"""
    scales = (np.abs(weights).max(axis=0) / most).astype(np.float32)
    return np.rint(weights / scales).astype(np.int8), scales
