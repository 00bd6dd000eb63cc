#!/usr/bin/env python3
"""Trains the pair model and reports on pairs that it did not learn from.

  python train.py --model ../../models/all-MiniLM-L6-v2 --train pairs/*.jsonl --unseen FILE... [--epochs 3] [--out model.pt]
"""

import argparse
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from figures import report
from pair_model import batches, from_sentence_model, pair_tokenizer, probabilities
from pairs import Pair, read_pairs, varied
from small_changes import small_change

BATCH = 24
SMOOTHING = 0.05
WARM_UP_STEPS = 60


def main() -> None:
    options = read_options()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    pairs = [pair for path in options.train for pair in read_pairs(path)]
    unseen = {path.stem: read_pairs(path) for path in options.unseen}
    model, tokenizer = from_sentence_model(options.model), pair_tokenizer(options.model)
    if options.resume is not None:
        model.load_state_dict(torch.load(options.resume))
    train(model, tokenizer, pairs, options, lambda epoch: judge(model, tokenizer, unseen, epoch))


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--train", type=Path, nargs="+", required=True)
    parser.add_argument("--unseen", type=Path, nargs="*", default=[])
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=8e-5)
    parser.add_argument("--neighbours", type=float, default=0.15, help="share of unrelated pairs beside the labelled ones")
    parser.add_argument("--small-changes", type=float, default=0, help="share of the pairs that also show a small change of a text")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--resume", type=Path, help="go on from what an earlier run wrote to --out")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def train(model, tokenizer, pairs: list[Pair], options, after_epoch) -> None:
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=options.rate, weight_decay=0.01, fused=True)
    chance = random.Random(options.seed)
    steps = options.epochs * -(-int(len(pairs) * (1 + options.neighbours + 0.6 * options.small_changes)) // BATCH)
    done = 0
    for epoch in range(options.epochs):
        started, losses = time.time(), []
        encodings, labels, order = epoch_of(pairs, tokenizer, options, chance)
        model.train()
        for chosen, ids, sides, mask in batches(encodings, order, BATCH):
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(1, (done + 1) / WARM_UP_STEPS) * max(0.02, 1 - done / steps)
            target = torch.tensor([labels[at] * (1 - 2 * SMOOTHING) + SMOOTHING for at in chosen])
            loss = F.binary_cross_entropy_with_logits(model(ids, sides, mask), target)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            losses.append(loss.item())
            done += 1
        print(f"epoch {epoch + 1}: loss {sum(losses) / len(losses):.3f}, {time.time() - started:.0f} s", flush=True)
        if options.out is not None:
            torch.save(model.state_dict(), options.out)
        after_epoch(epoch + 1)


def epoch_of(pairs: list[Pair], tokenizer, options, chance: random.Random):
    """Every pair, varied and in a random order, with small changes and unrelated texts, in batches of similar length."""
    texts = [text for pair in pairs for text in (pair.a, pair.b)]
    shown = [varied(pair, texts, chance) for pair in pairs]
    unrelated = range(int(len(pairs) * options.neighbours))
    shown += [Pair(chance.choice(texts), chance.choice(texts), False, "unrelated") for _ in unrelated]
    changed = (small_change(pair, chance) for pair in pairs if chance.random() < options.small_changes)
    shown += [pair for pair in changed if pair is not None]
    encodings = tokenizer.encode_batch([(pair.a, pair.b) if chance.random() < 0.5 else (pair.b, pair.a) for pair in shown])
    labels = [float(pair.contradicts) for pair in shown]
    by_length = sorted(range(len(encodings)), key=lambda at: len(encodings[at].ids) + chance.uniform(-6, 6))
    runs = [by_length[start : start + BATCH] for start in range(0, len(by_length), BATCH)]
    chance.shuffle(runs)
    return encodings, labels, [at for run in runs for at in run]


def judge(model, tokenizer, unseen: dict[str, list[Pair]], epoch: int) -> None:
    for name, pairs in unseen.items():
        scores = probabilities(model, tokenizer, [(pair.a, pair.b) for pair in pairs])
        print(f"  after {epoch}, {name}: {report(scores, [pair.contradicts for pair in pairs])}", flush=True)


if __name__ == "__main__":
    main()
