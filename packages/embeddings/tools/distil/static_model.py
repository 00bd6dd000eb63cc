"""Writes a table of token vectors as a model folder that the embeddings package loads (README, steps 5 and 6)."""

import json
import shutil
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 13


def write_model(folder: Path, table: np.ndarray, teacher: Path, distilled_from: str) -> None:
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save(graph_of(*quantised(table)), folder / "onnx/model_quantized.onnx")
    for file in ("tokenizer.json", "special_tokens_map.json"):
        shutil.copy(teacher / file, folder / file)
    tokenizer = json.loads((teacher / "tokenizer_config.json").read_text())
    write_json(folder / "tokenizer_config.json", {**tokenizer, "model_max_length": 512})
    config = json.loads((teacher / "config.json").read_text())
    write_json(
        folder / "config.json",
        {
            "model_type": config["model_type"],
            "vocab_size": config["vocab_size"],
            "max_position_embeddings": 512,
            "pad_token_id": config["pad_token_id"],
            "architectures": config["architectures"],
            "hidden_size": table.shape[1],
            "num_hidden_layers": 0,
            "static_embedding": True,
            "distilled_from": distilled_from,
        },
    )
    # The graph gives one vector per text, so pooling takes the first output.
    write_json(
        folder / "embedding.json", {"pooling": "cls", "normalize": True, "maxTokens": 512, "batchDependent": False, "kind": "static"}
    )


def quantised(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows and one fp16 scale each."""
    largest = np.abs(table).max(axis=1, keepdims=True)
    scale = (largest / 127).astype(np.float16)
    divisor = np.where(scale > 0, scale.astype(np.float32), 1)
    return np.clip(np.rint(table / divisor), -127, 127).astype(np.int8), scale


def graph_of(rows: np.ndarray, scale: np.ndarray) -> onnx.ModelProto:
    """The sum of the token vectors: attention_mask [batch, 1, tokens] times [batch, tokens, dimension]. Its direction is that of the mean."""
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch_size", "sequence_length"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch_size", 1, rows.shape[1]])
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Cast", ["rows"], ["rows_float"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["scale", "input_ids"], ["scales"]),
        helper.make_node("Cast", ["scales"], ["scales_float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["rows_float", "scales_float"], ["tokens"]),
        helper.make_node("Cast", ["attention_mask"], ["mask_float"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask_float", "one"], ["mask"]),
        helper.make_node("MatMul", ["mask", "tokens"], ["last_hidden_state"]),
    ]
    constants = [
        numpy_helper.from_array(rows, "table"),
        numpy_helper.from_array(scale, "scale"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "one"),
    ]
    graph = helper.make_graph(nodes, "static", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="distil")
    model.ir_version = 8  # of the year of opset 13; a newer one is refused by older runtimes
    onnx.checker.check_model(model)
    return model


def write_json(path: Path, value: dict) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n")
