"""Makes a static embedding model from a teacher and a corpus; README.md describes the steps.

  python distil.py --teacher all-MiniLM-L6-v2/ --corpus sentences.txt.gz --out my-static-240/ [--sentences 20000] [--vectors cache.npy]
"""

import argparse
import gzip
from pathlib import Path

import numpy as np

from static_model import write_model
from teacher import Teacher
from train import counts_matrix, first_table, means, principal_axes, ridge_map, train, unit

WORDS = range(4, 61)
TRAINED_DIMENSIONS = 256
KEPT_DIMENSIONS = 240
SHARE_OF_TRAINING = 0.8
"""Share of the trained table in the final one; the rest is the start. A little of the start generalises better."""
CLS_LENGTH = 0.001
"""Gives a text without any known token a direction; far below the length of any token."""
ZERO_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def main() -> None:
    options = read_options()
    random = np.random.default_rng(options.seed)
    teacher = Teacher(options.teacher)
    sentences = read_sentences(options.corpus)
    if options.sentences:
        sentences = [sentences[at] for at in np.sort(random.permutation(len(sentences))[: options.sentences])]
    print(f"{len(sentences)} sentences", flush=True)
    sequences = teacher.encode(sentences)
    teacher_vectors = vectors_of(teacher, sequences, options.vectors)

    vocabulary = teacher.tokenizer.get_vocab()
    live = np.zeros(len(vocabulary), dtype=bool)
    live[[at for token, at in vocabulary.items() if token not in ZERO_TOKENS and not token.startswith("[unused")]] = True
    counts = counts_matrix(sequences, live)

    table = first_table(teacher.token_vectors(vocabulary["[CLS]"], vocabulary["[SEP]"]), counts, live)
    axes = principal_axes(teacher_vectors, TRAINED_DIMENSIONS)
    targets = teacher_vectors @ axes
    print(f"{TRAINED_DIMENSIONS} axes keep {100 * (targets**2).sum() / len(targets):.1f} % of the second moment")
    targets = unit(targets)
    start = table @ ridge_map(means(counts, table), targets)
    print(f"cosine with the targets at the start: {cosine(counts, start, targets):.4f}")
    trained = train(start, counts, targets, random)
    final = (start + SHARE_OF_TRAINING * (trained - start))[:, :KEPT_DIMENSIONS]
    print(f"at the end: {cosine(counts, final, unit(targets[:, :KEPT_DIMENSIONS])):.4f}")
    final[vocabulary["[CLS]"], -1] = CLS_LENGTH
    write_model(options.out, final, options.teacher, options.name)
    print(f"written to {options.out}")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", type=Path, required=True, help="folder of sentence-transformers, fp32, BERT with WordPiece")
    parser.add_argument("--corpus", type=Path, required=True, help="text, a sentence a line, .gz or plain")
    parser.add_argument("--out", type=Path, required=True, help="folder to write the model to")
    parser.add_argument("--sentences", type=int, default=0, help="take so many at random; 0: all")
    parser.add_argument("--vectors", type=Path, help="keep the teacher's vectors here (.npy): they take most of the time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="sentence-transformers/all-MiniLM-L6-v2", help="the teacher's name, for config.json")
    return parser.parse_args()


def read_sentences(path: Path) -> list[str]:
    open_text = gzip.open if path.suffix == ".gz" else open
    with open_text(path, "rt", encoding="utf-8") as file:
        return [line for line in map(str.strip, file) if len(line.split()) in WORDS]


def vectors_of(teacher: Teacher, sequences: list[list[int]], cache: Path | None) -> np.ndarray:
    if cache and cache.exists():
        vectors = np.load(cache)
        if len(vectors) != len(sequences):
            raise SystemExit(f"{cache} holds {len(vectors)} vectors for {len(sequences)} sentences; delete it")
        return vectors
    vectors = teacher.sentence_vectors(sequences)
    if cache:
        np.save(cache, vectors)
    return vectors


def cosine(counts, table: np.ndarray, targets: np.ndarray) -> float:
    return float((unit(np.asarray(counts @ table)) * targets).sum(axis=1).mean())


main()
