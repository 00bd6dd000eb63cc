#!/usr/bin/env python3
"""Writes a trained pair model as int8 ONNX: the graph of the sentence model that it started from, with other weights and a head.

  python export.py --model ../../models/all-MiniLM-L6-v2 --trained model.pt --out ../../models/contradiction-minilm
"""

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from int8_layers import put_layers
from pair_model import MAX_TOKENS


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--trained", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    state = {name: tensor.float().numpy() for name, tensor in torch.load(options.trained).items()}
    model = onnx.load(str(options.model / "onnx" / "model_quantized.onnx"))
    replace_weights(model.graph, state)
    add_head(model.graph, state)
    onnx.checker.check_model(model)
    (options.out / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(options.out / "onnx" / "model_quantized.onnx"))
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copy(options.model / name, options.out / name)
    (options.out / "pair.json").write_text(json.dumps({"maxTokens": MAX_TOKENS}) + "\n")


def replace_weights(graph, state: dict) -> None:
    stored = {tensor.name: tensor for tensor in graph.initializer}

    def put(name: str, values: np.ndarray) -> None:
        stored[name].CopyFrom(numpy_helper.from_array(values, name))

    sides = state["sides.weight"]
    scale = np.float32((sides.max() - sides.min()) / 255)
    zero = np.uint8(np.clip(round(float(-sides.min() / scale)), 0, 255))
    put("embeddings.type_scale", np.array(scale))
    put("embeddings.type_zero_point", zero_like(stored["embeddings.type_zero_point"], zero))
    put("embeddings.type_quantized", np.clip(np.rint(sides / scale) + zero, 0, 255).astype(np.uint8))
    for part in ("weight", "bias"):
        put(f"embeddings.LayerNorm.{part}", state[f"norm.{part}"])
    put_layers(graph, state, range(sum(name.endswith(".query.weight") for name in state)))


def zero_like(tensor, zero: np.uint8) -> np.ndarray:
    return np.full(numpy_helper.to_array(tensor).shape, zero, np.uint8)


def add_head(graph, state: dict) -> None:
    """last_hidden_state, one row a token and no padding -> mean -> tanh layer -> logit"""
    constants = {
        "pair.pooler.weight": state["pooler.weight"].T.copy(),
        "pair.pooler.bias": state["pooler.bias"],
        "pair.logit.weight": state["logit.weight"].T.copy(),
        "pair.logit.bias": state["logit.bias"],
    }
    graph.initializer.extend(numpy_helper.from_array(values, name) for name, values in constants.items())
    graph.node.extend(
        [
            helper.make_node("ReduceMean", ["last_hidden_state"], ["pair.mean"], axes=[1], keepdims=0),
            helper.make_node("MatMul", ["pair.mean", "pair.pooler.weight"], ["pair.pooled"]),
            helper.make_node("Add", ["pair.pooled", "pair.pooler.bias"], ["pair.biased"]),
            helper.make_node("Tanh", ["pair.biased"], ["pair.tanh"]),
            helper.make_node("MatMul", ["pair.tanh", "pair.logit.weight"], ["pair.product"]),
            helper.make_node("Add", ["pair.product", "pair.logit.bias"], ["logit"]),
        ]
    )
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("logit", TensorProto.FLOAT, ["batch", 1]))


if __name__ == "__main__":
    main()
