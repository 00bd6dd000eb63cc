"""A model for natural language inference of a few words: the sum of one row of three numbers for each token.

Its output is test/tiny-nli. Labels as in its config.json; two tokens stand between the texts, as in models of the RoBERTa family.
  pip install numpy==2.4.6 onnx==1.23.2
  python tiny-nli.py ../tiny-nli
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LABELS = ["entailment", "neutral", "CONTRADICTION"]
ROWS = {
    "<s>": [0, 0, 0],
    "</s>": [0.5, 0, 0],
    "<unk>": [0, 0.25, 0],
    "not": [-1, 0, 3],
    "open": [0, 1, -1],
    "closed": [0, 0, 1.5],
}


def main(folder: Path) -> None:
    table = numpy_helper.from_array(np.array(list(ROWS.values()), dtype=np.float32), "table")
    axis = numpy_helper.from_array(np.array([1], dtype=np.int64), "axis")
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("ReduceSum", ["rows", "axis"], ["logits"], keepdims=0),
    ]
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens"])
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["texts", len(LABELS)])
    graph = helper.make_graph(nodes, "tiny-nli", [ids], [logits], [table, axis])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(folder / "onnx" / "model.onnx"))
    write(folder / "config.json", {"model_type": "roberta", "id2label": dict(enumerate(LABELS)), "max_position_embeddings": 16})
    write(folder / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizer", "model_max_length": 16})
    write(folder / "tokenizer.json", tokenizer())


def tokenizer() -> dict:
    vocabulary = {word: place for place, word in enumerate(ROWS)}
    special = [{"id": vocabulary[token], "content": token, "single_word": False, "lstrip": False, "rstrip": False,
                "normalized": False, "special": True} for token in ("<s>", "</s>", "<unk>")]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 1], "cls": ["<s>", 0], "trim_offsets": True, "add_prefix_space": False},
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "vocab": vocabulary,
            "unk_token": "<unk>",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
        },
    }


def write(path: Path, value: dict) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n")


main(Path(sys.argv[1]))
