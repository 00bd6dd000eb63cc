"""Vectors and cosines of the bundled models, by the tokenizers library and onnxruntime in Python, apart from this package's code.

Its output is test/reference-vectors.json, which the tests compare with. The runtime has the version of the package's own: another one
rounds otherwise.
  pip install numpy==2.4.6 onnxruntime==1.23.2 tokenizers==0.23.3
  python reference-vectors.py ../../models > ../reference-vectors.json
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

MODELS = {"all-MiniLM-L6-v2": (256, "mean"), "agent-memory-static-240": (512, "cls")}
TEXTS = [
    "The deployment of the billing service failed because the database password had expired.",
    "Rolling out the payments backend broke: credentials for Postgres were out of date.",
    "The database of the billing service was moved to a larger machine.",
    "My daughter's birthday is on the third of May and she wants a telescope.",
    "Caf\u00e9 na\u00efve \u2014 Z\u00fcrich, \u6771\u4eac\u3067\u306e\u4f1a\u8b70 at 10:30!",
    "",
    "\U0001f389\U0001f680",
    # Longer than either limit: the closing token has to survive the cut.
    "the quick brown fox jumps over the lazy dog and writes a note about it " * 60,
]


def vector(session, tokenizer, text, pooling):
    encoding = tokenizer.encode(text)
    ids = np.array([encoding.ids], dtype=np.int64)
    feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    tokens = session.run(["last_hidden_state"], feeds)[0][0]
    pooled = tokens.mean(axis=0) if pooling == "mean" else tokens[0]
    return pooled / np.linalg.norm(pooled)


def vectors_by(file, tokenizer, pooling):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(file, options)
    return np.array([vector(session, tokenizer, text, pooling) for text in TEXTS])


def heads(vectors):
    return [[round(float(x), 5) for x in v[:8]] for v in vectors]


def cosines(rows, columns):
    return [[round(float(x), 4) for x in row] for row in rows @ columns.T]


def main(folder):
    result = {"texts": TEXTS, "models": {}}
    for name, (limit, pooling) in MODELS.items():
        tokenizer = Tokenizer.from_file(str(folder / name / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(limit)
        vectors = vectors_by(folder / name / "onnx/model_quantized.onnx", tokenizer, pooling)
        result["models"][name] = {"head": heads(vectors), "cosines": cosines(vectors, vectors)}
        of_answers = folder / name / "onnx/answer_quantized.onnx"
        if of_answers.exists():
            answerable = vectors_by(of_answers, tokenizer, pooling)
            result["models"][name]["answerable"] = {"head": heads(answerable), "cosines": cosines(answerable, vectors)}
    json.dump(result, sys.stdout, indent=1, ensure_ascii=False)


main(Path(sys.argv[1]))
