"""Trains the table of token vectors: it starts from single tokens of the teacher, then descends on sentences (README, steps 1 to 4)."""

import numpy as np
from scipy.sparse import csr_matrix

SIF_A = 0.001
"""a of the weight a / (a + p) (Arora et al. 2017, A Simple but Tough-to-Beat Baseline for Sentence Embeddings)."""
SIF_ADDED_COUNT = 0.3
RIDGE_LAMBDA = 100.0
EPOCHS = 8
BATCH_SENTENCES = 1024
LEARNING_RATES = (0.004, 0.0002)
SIMILARITY_WEIGHT = 50.0
PULL_TO_START = 0.03
TOKEN_DROPOUT = 0.1


def counts_matrix(sequences: list[list[int]], live: np.ndarray) -> csr_matrix:
    """[sentences, vocabulary]: how often each live token stands in each sentence."""
    lengths = [len(ids) for ids in sequences]
    columns = np.concatenate([np.asarray(ids) for ids in sequences])
    rows = np.repeat(np.arange(len(sequences)), lengths)
    kept = live[columns]
    ones = np.ones(int(kept.sum()), dtype=np.float32)
    return csr_matrix((ones, (rows[kept], columns[kept])), shape=(len(sequences), live.size), dtype=np.float32)


def first_table(token_vectors: np.ndarray, counts: csr_matrix, live: np.ndarray) -> np.ndarray:
    """Step 1: the teacher's tokens, centred over the live ones, times their SIF weight; the others zero."""
    frequency = np.asarray(counts.sum(axis=0)).ravel() + SIF_ADDED_COUNT
    weight = SIF_A / (SIF_A + frequency / frequency.sum())
    table = (token_vectors - token_vectors[live].mean(axis=0)) * weight[:, None].astype(np.float32)
    table[~live] = 0
    return table.astype(np.float32)


def principal_axes(vectors: np.ndarray, dimension: int) -> np.ndarray:
    """Step 2: [teacher's dimension, dimension], the uncentred principal axes in falling order."""
    _, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    return axes[:, ::-1][:, :dimension].astype(np.float32)


def ridge_map(inputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Step 3: the linear map that takes mean-of-table vectors nearest to the targets."""
    gram = inputs.T @ inputs + RIDGE_LAMBDA * np.eye(inputs.shape[1], dtype=np.float32)
    return np.linalg.solve(gram, inputs.T @ targets).astype(np.float32)


def means(counts: csr_matrix, table: np.ndarray) -> np.ndarray:
    totals = np.maximum(np.asarray(counts.sum(axis=1)), 1).astype(np.float32)
    return np.asarray(counts @ table) / totals


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def train(start: np.ndarray, counts: csr_matrix, targets: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Step 4: Adam on the rows that a batch touches, each with the moments it has gathered so far."""
    table, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    steps = EPOCHS * -(-counts.shape[0] // BATCH_SENTENCES)
    step = 0
    for epoch in range(EPOCHS):
        order = random.permutation(counts.shape[0])
        losses = []
        for at in range(0, order.size, BATCH_SENTENCES):
            batch = order[at : at + BATCH_SENTENCES]
            step += 1
            high, low = LEARNING_RATES
            rate = low + (high - low) * (1 + np.cos(np.pi * step / steps)) / 2
            kept = dropped_out(counts[batch], random)
            touched = np.unique(kept.indices)
            loss, gradient = gradient_of(kept[:, touched], table[touched], targets[batch])
            losses.append(loss)
            first[touched] = 0.9 * first[touched] + 0.1 * gradient
            second[touched] = 0.999 * second[touched] + 0.001 * gradient**2
            move = first[touched] / (1 - 0.9**step) / (np.sqrt(second[touched] / (1 - 0.999**step)) + 1e-8)
            table[touched] -= rate * (move + PULL_TO_START * (table[touched] - start[touched]))
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {np.mean(losses):.4f}", flush=True)
    return table


def dropped_out(counts: csr_matrix, random: np.random.Generator) -> csr_matrix:
    kept = counts.copy()
    kept.data = kept.data * (random.random(kept.data.size) >= TOKEN_DROPOUT)
    kept.eliminate_zeros()
    return kept


def gradient_of(counts: csr_matrix, rows: np.ndarray, targets: np.ndarray) -> tuple[float, np.ndarray]:
    """Loss (1 - cosine) + 50 x mean squared difference of the similarity matrices, and its gradient for each row of the table."""
    sums = np.asarray(counts @ rows)
    norms = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    vectors = sums / norms
    size = len(targets)
    difference = vectors @ vectors.T - targets @ targets.T
    loss = 1 - (vectors * targets).sum() / size + SIMILARITY_WEIGHT * (difference**2).mean()
    by_vector = -targets / size + (4 * SIMILARITY_WEIGHT / size**2) * (difference @ vectors)
    by_sum = (by_vector - vectors * (by_vector * vectors).sum(axis=1, keepdims=True)) / norms
    return float(loss), np.asarray(counts.T @ by_sum)
