"""Precision and recall of scores against labels."""

import numpy as np


def report(scores, labels) -> str:
    scores, labels = np.asarray(scores), np.asarray(labels, dtype=bool)
    precision, recall = at_threshold(scores, labels, 0.5)
    reached = ", ".join(f"R {100 * recall_at(scores, labels, floor):.0f} at P {floor:.2f}" for floor in (0.8, 0.85, 0.9, 0.95))
    return f"AP {average_precision(scores, labels):.3f}; at 0.5 P {100 * precision:.0f} R {100 * recall:.0f}; {reached}"


def at_threshold(scores, labels, threshold: float) -> tuple[float, float]:
    found = scores >= threshold
    right = (found & labels).sum()
    return right / max(1, found.sum()), right / labels.sum()


def curve(scores, labels):
    """Precision and recall after each pair, best score first."""
    right = np.cumsum(labels[np.argsort(-scores, kind="stable")])
    return right / np.arange(1, len(right) + 1), right / labels.sum()


def average_precision(scores, labels) -> float:
    precision, recall = curve(scores, labels)
    return float((precision * np.diff(recall, prepend=0)).sum())


def recall_at(scores, labels, floor: float) -> float:
    precision, recall = curve(scores, labels)
    return float(recall[precision >= floor].max(initial=0))
