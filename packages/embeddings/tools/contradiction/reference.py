#!/usr/bin/env python3
"""Writes pairs with the probabilities of the float model; a test compares the int8 model with them.

  python reference.py --model ../../models/all-MiniLM-L6-v2 --trained trained.pt --pairs pairs/short.jsonl > ../../test/reference-pairs.json
"""

import argparse
import json
from pathlib import Path

import torch

from pair_model import from_sentence_model, pair_tokenizer, probabilities
from pairs import read_pairs

EVERY = 40
MOST = 24


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--trained", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True)
    options = parser.parse_args()
    model, tokenizer = from_sentence_model(options.model), pair_tokenizer(options.model)
    model.load_state_dict(torch.load(options.trained))
    read = [pair for path in options.pairs for pair in read_pairs(path)]
    chosen = [(pair.a, pair.b) for pair in read[::EVERY]][:MOST]
    scores = probabilities(model, tokenizer, chosen)
    print(json.dumps({"pairs": chosen, "probabilities": [round(float(score), 4) for score in scores]}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
