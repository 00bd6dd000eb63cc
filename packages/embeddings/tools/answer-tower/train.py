#!/usr/bin/env python3
"""Trains the answer tower against vectors of stored texts, which stay as they are.

  python train.py --model ../../models/all-MiniLM-L6-v2 --prepared prepared/ --plain sentences.txt.gz --out trained.pt [--held AUTHOR]
"""

import argparse
import gzip
import json
import random
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

from answer_tower import AnswerTower

BATCH = 32
# Batches among which questions of similar length are brought together.
BATCHES_OF_A_RUN = 8
TEMPERATURE = 0.05
# The cosine of "nobody told of it", which a question has to beat with its memory and an unanswered one must not beat at all.
NOBODY = 0.4
# The weight of the choice among the memory and what stands beside it, where the whole choice counts 1.
BESIDE_WEIGHT = 0.6
PULL = 0.5
PLAIN_PULL = 2.0
PLAIN_OF_A_BATCH = 4
PLAIN_SENTENCES = 800
PLAIN_WORDS = range(4, 26)
# The share of questions in the first person of the named speaker, as recall embeds them.
FIRST_PERSON = 0.7
WARM_UP_STEPS = 30
LEAST_RATE = 0.03


@dataclass(frozen=True)
class Asked:
    text: int
    as_written: int
    # Columns of the stored texts that answer it; none answers where it is empty.
    answers: list[int]
    # Columns of the stored texts of the same case that do not.
    beside: list[int]
    # Columns that are not there for it.
    hidden: list[int] = field(default_factory=list)


def main() -> None:
    options = read_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    prepared = json.loads((options.prepared / "cases.json").read_text())
    vectors = torch.from_numpy(np.fromfile(options.prepared / "vectors.f32", np.float32).reshape(len(prepared["texts"]), -1))
    cases = [case for case in prepared["cases"] if case["author"] != options.held]
    tower = AnswerTower(options.model)
    stored = told_in(cases) + prepared["statements"]
    asked = questions_of(cases, {text: column for column, text in reversed(list(enumerate(stored)))})
    train(tower, prepared["texts"], asked, vectors, vectors[stored], plain_sentences(options.plain, chance), options, chance)
    torch.save(tower.model.state_dict(), options.out)
    held = [case for case in prepared["cases"] if case["author"] == options.held]
    if held:
        judge(tower, prepared["texts"], held, vectors)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--prepared", type=Path, required=True)
    parser.add_argument("--plain", type=Path, required=True, help="sentences whose vectors stay near what they were, one a line, gzip")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--held", help="a file of cases that is not learned from but judged on, without .jsonl")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def told_in(cases: list[dict]) -> list[int]:
    return sorted({text for case in cases for text in case["memory"] + case["missing"] + sum(case["beside"], [])})


def questions_of(cases: list[dict], columns: dict[int, int]) -> list[Asked]:
    asked = []
    for case in cases:
        memory = [columns[text] for text in case["memory"]]
        beside = [columns[text] for other in case["beside"] for text in other]
        asked += [Asked(text, written, memory, beside) for text, written in zip(case["asks"], case["asWritten"])]
        missing = [columns[text] for text in case["missing"]]
        first, *others = case["unanswered"]
        # Once without its answer and once with it, so that no kind of question looks unanswered by itself.
        asked.append(Asked(first, first, [], memory + beside, missing))
        asked.append(Asked(first, first, missing, memory + beside))
        asked += [Asked(text, text, [], memory + beside + missing) for text in others]
    return asked


def plain_sentences(path: Path, chance: random.Random) -> list[str]:
    with gzip.open(path, "rt") as lines:
        fitting = [line.strip() for line in lines if len(line.split()) in PLAIN_WORDS]
    return chance.sample(fitting, PLAIN_SENTENCES)


def train(tower: AnswerTower, texts, asked: list[Asked], vectors, stored, plain: list[str], options, chance) -> None:
    optimizer = torch.optim.AdamW(tower.trained, lr=options.rate, weight_decay=0.01, fused=True)
    used = sorted({text for one in asked for text in (one.text, one.as_written)})
    beneath = dict(zip(used, tower.beneath([texts[text] for text in used])))
    plain_beneath, plain_before = tower.beneath(plain), tower.vectors_of(plain)
    steps, done = options.epochs * -(-len(asked) // BATCH), 0
    for epoch in range(options.epochs):
        losses = []
        for batch in batches_of(asked, beneath, chance):
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(1, (done + 1) / WARM_UP_STEPS) * max(LEAST_RATE, 1 - done / steps)
            chosen = [one.text if chance.random() < FIRST_PERSON else one.as_written for one in batch]
            others = chance.sample(range(len(plain)), PLAIN_OF_A_BATCH)
            tower.model.train()
            found = tower.vectors([beneath[text] for text in chosen] + [plain_beneath[at] for at in others])
            questions, plain_now = found[: len(batch)], found[len(batch) :]
            loss = choice_loss(questions @ stored.T, batch)
            loss = loss + PULL * (1 - (questions * vectors[chosen]).sum(1)).mean()
            loss = loss + PLAIN_PULL * (1 - (plain_now * plain_before[others]).sum(1)).mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(tower.trained, 1.0)
            optimizer.step()
            losses.append(loss.item())
            done += 1
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}", flush=True)


def batches_of(asked: list[Asked], beneath: dict[int, torch.Tensor], chance: random.Random):
    """All questions in a random order, in batches of similar length, so that there is little padding."""
    shuffled = chance.sample(asked, len(asked))
    run = BATCH * BATCHES_OF_A_RUN
    for start in range(0, len(shuffled), run):
        part = sorted(shuffled[start : start + run], key=lambda one: len(beneath[one.text]))
        yield from (part[at : at + BATCH] for at in range(0, len(part), BATCH))


def choice_loss(cosines: torch.Tensor, batch: list[Asked]) -> torch.Tensor:
    """Cross-entropy of the choice among all stored texts and "nobody", and of that among the texts of the case and "nobody"."""
    nobody = torch.full((len(batch), 1), NOBODY)
    logits = torch.cat([cosines, nobody], 1) / TEMPERATURE
    hidden = torch.zeros_like(logits, dtype=torch.bool)
    right = torch.zeros_like(logits, dtype=torch.bool)
    own = torch.zeros_like(right)
    own[:, -1] = True
    for row, one in enumerate(batch):
        right[row, one.answers or [-1]] = True
        own[row, one.answers + one.beside] = True
        hidden[row, one.hidden] = True
    logits = logits.masked_fill(hidden, -1e9)
    of_right = logits.masked_fill(~right, -1e9).logsumexp(1)
    among_all = logits.logsumexp(1) - of_right
    among_own = logits.masked_fill(~own, -1e9).logsumexp(1) - of_right
    return (among_all + BESIDE_WEIGHT * among_own).mean()


def judge(tower: AnswerTower, texts, cases: list[dict], vectors: torch.Tensor) -> None:
    """Recall of the answer among all stored texts of the held cases, by the plain model and by the tower."""
    stored = told_in(cases)
    columns = {text: column for column, text in enumerate(stored)}
    asked = [one for one in questions_of(cases, columns) if one.answers]
    chosen = [one.text for one in asked]
    for name, questions in {"plain": vectors[chosen], "tower": tower.vectors_of([texts[text] for text in chosen])}.items():
        cosines = questions @ vectors[stored].T
        best = torch.stack([row[one.answers].max() for row, one in zip(cosines, asked)])
        ranks = (cosines > best[:, None]).sum(1)
        print(f"{name}: " + ", ".join(f"at {k} {100 * (ranks < k).float().mean():.1f}" for k in (1, 5, 10)))


if __name__ == "__main__":
    main()
