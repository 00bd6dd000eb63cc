"""Compares how static models and their teacher order sentence pairs. The models may have seen the sentences in training.

  python compare.py --teacher all-MiniLM-L6-v2/ --corpus sentences.txt.gz --sentences 2000 model-folder [another ...]
Prints for each the Spearman correlation x 100 of its cosines with the teacher's over all pairs, over the closest pairs
(the teacher's 20 nearest of each sentence), and how many of the teacher's 10 nearest are among its own.
"""

import argparse
import gzip
from pathlib import Path

import numpy as np
import onnxruntime
from scipy.stats import spearmanr

from teacher import Teacher


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("models", type=Path, nargs="+")
    options = parser.parse_args()

    open_text = gzip.open if options.corpus.suffix == ".gz" else open
    with open_text(options.corpus, "rt", encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    chosen = np.random.default_rng(options.seed).permutation(len(lines))[: options.sentences]
    teacher = Teacher(options.teacher)
    sequences = teacher.encode([lines[at] for at in chosen])
    vectors = teacher.sentence_vectors(sequences)
    truth = vectors @ vectors.T
    for model in options.models:
        own = static_vectors(model, sequences)
        print(model.name, *(f"{name} {value:.1f}" for name, value in agreement(own @ own.T, truth).items()), sep="  ")


def static_vectors(model: Path, sequences: list[list[int]]) -> np.ndarray:
    session = onnxruntime.InferenceSession(model / "onnx/model_quantized.onnx")
    rows = []
    for ids in sequences:
        tokens = np.array([ids], dtype=np.int64)
        feeds = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
        rows.append(session.run(None, feeds)[0][0, 0])
    vectors = np.array(rows)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def agreement(own: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    size = len(truth)
    pairs = np.triu_indices(size, 1)
    off = truth - 2 * np.eye(size)
    nearest = np.argsort(-off, axis=1)[:, :20]
    rows = np.arange(size)[:, None]
    own_nearest = np.argsort(-(own - 2 * np.eye(size)), axis=1)[:, :10]
    shared = [len(set(a[:10]) & set(b)) for a, b in zip(nearest, own_nearest)]
    return {
        "all pairs": 100 * spearmanr(own[pairs], truth[pairs]).statistic,
        "close pairs": 100 * spearmanr(own[rows, nearest].ravel(), truth[rows, nearest].ravel()).statistic,
        "nearest 10 shared": 10 * float(np.mean(shared)),
    }


main()
