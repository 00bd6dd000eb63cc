"""Labelled pairs of memories, and variations of them that keep or change the label for a known reason."""

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Pair:
    a: str
    b: str
    contradicts: bool
    kind: str


def read_pairs(path: Path) -> list[Pair]:
    return [pair_of(json.loads(line)) for line in path.read_text().splitlines() if line.strip()]


def pair_of(line: dict) -> Pair:
    def text(side) -> str:
        return side if isinstance(side, str) else side["content"]

    return Pair(text(line["a"]), text(line["b"]), line["label"] == "contradiction", line["kind"])


def varied(pair: Pair, texts: list[str], chance: random.Random) -> Pair:
    """The pair as another writer could have put it: a name or number exchanged on both sides, a further sentence beside it."""
    a, b = pair.a, pair.b
    if chance.random() < 0.3:
        a, b = rename(a, b, chance)
    if chance.random() < 0.15:
        a = beside(a, chance.choice(texts), chance)
    if chance.random() < 0.15:
        b = beside(b, chance.choice(texts), chance)
    return Pair(a, b, pair.contradicts, pair.kind)


def beside(text: str, other: str, chance: random.Random) -> str:
    if len(text) + len(other) > 300:
        return text
    joint = " " if text.rstrip().endswith((".", "!", "?")) else ". "
    return f"{text}{joint}{other}" if chance.random() < 0.5 else f"{other.rstrip('.')}. {text}"


NAMES = (
    "Ada Bela Cira Dario Edda Falk Greta Hakan Ines Jory Kofi Lena Marek Nadia Otis Petra Quim Rosa Samir Tilda Ugo Vera Wim Xenia "
    "Yara Zeno Aurora Borealis Cobalt Dune Ember Fjord Garnet Harbor Indigo Juniper Kestrel Lagoon Meridian Nimbus"
).split()


def rename(a: str, b: str, chance: random.Random) -> tuple[str, str]:
    """Another name for a capitalised word that both texts have within a sentence, the same on both sides."""
    inner = re.compile(r"(?<=[a-z,] )([A-Z][a-z]{2,})\b")
    shared = sorted({*inner.findall(a), *inner.findall(b)} & {*re.findall(r"\w+", a)} & {*re.findall(r"\w+", b)} - DAYS_AND_MONTHS)
    if not shared:
        return a, b
    old, new = chance.choice(shared), chance.choice(NAMES)
    return re.sub(rf"\b{old}\b", new, a), re.sub(rf"\b{old}\b", new, b)


DAYS_AND_MONTHS = set(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October "
    "November December".split()
)
