#!/usr/bin/env python3
"""Writes the answer tower as int8 ONNX beside the sentence model. The file holds the trained layers; the other weights stay in
the file of the sentence model, and it says at which place.

  python export.py --model ../../models/all-MiniLM-L6-v2 --trained trained.pt
"""

import argparse
from pathlib import Path

import onnx
import torch
from onnx import TensorProto
from answer_tower import TRAINED_FROM
from int8_layers import put_layers

# 8 bits: in the 7 of the sentence model most of what was learned is less than a step. Processors without VNNI need the precise
# kernels for them (`x64quantprecision` of the runtime).
MOST = 127
# Smaller weights are written again.
LEAST_BYTES = 1_024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--trained", type=Path, required=True)
    options = parser.parse_args()
    base = options.model / "onnx" / "model_quantized.onnx"
    state = {name: tensor.float().numpy() for name, tensor in torch.load(options.trained).items()}
    model = onnx.load(str(base))
    before = {tensor.name: tensor.raw_data for tensor in model.graph.initializer}
    layers = sum(name.endswith(".query.weight") for name in state)
    put_layers(model.graph, state, range(TRAINED_FROM, layers), MOST)
    for tensor in model.graph.initializer:
        if tensor.raw_data == before[tensor.name] and len(tensor.raw_data) >= LEAST_BYTES:
            refer(tensor, base)
    (base.parent / "answer_quantized.onnx").write_bytes(model.SerializeToString())


def refer(tensor: TensorProto, base: Path) -> None:
    """Replaces the values of a weight by their place in another file of the same folder."""
    values = tensor.raw_data
    offset = base.read_bytes().index(values)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": base.name, "offset": offset, "length": len(values)}.items():
        tensor.external_data.add(key=key, value=str(value))


if __name__ == "__main__":
    main()
