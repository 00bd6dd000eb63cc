"""A BERT sentence encoder in numpy, from a folder of sentence-transformers: config.json, tokenizer.json, model.safetensors."""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

BATCH_TOKENS = 4096


class Teacher:
    def __init__(self, folder: Path):
        config = json.loads((folder / "config.json").read_text())
        self.layers, self.heads = config["num_hidden_layers"], config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        self.weights = load_file(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        limits = folder / "sentence_bert_config.json"
        self.limit = json.loads(limits.read_text())["max_seq_length"] if limits.exists() else 256

    def encode(self, texts: list[str]) -> list[list[int]]:
        """Token ids of each text, [CLS] and [SEP] included."""
        self.tokenizer.enable_truncation(self.limit)
        return [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]

    def sentence_vectors(self, sequences: list[list[int]]) -> np.ndarray:
        """Mean over tokens, unit length; one row per sequence."""
        rows = np.empty((len(sequences), self.weights["embeddings.LayerNorm.weight"].size), dtype=np.float32)
        for batch in same_length_batches(sequences):
            rows[batch] = self.hidden_states(np.array([sequences[at] for at in batch])).mean(axis=1)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def token_vectors(self, cls: int, sep: int) -> np.ndarray:
        """Every wordpiece alone between [CLS] and [SEP]: the output at its own position."""
        vocabulary = self.weights["embeddings.word_embeddings.weight"].shape[0]
        chunks = np.array_split(np.arange(vocabulary), 40)
        return np.concatenate(
            [self.hidden_states(np.stack([np.full_like(ids, cls), ids, np.full_like(ids, sep)], axis=1))[:, 1] for ids in chunks]
        )

    def hidden_states(self, ids: np.ndarray) -> np.ndarray:
        """[batch, tokens] -> [batch, tokens, dimension]. All sequences of a batch have one length, so that nothing is masked."""
        w, length = self.weights, ids.shape[1]
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:length]
        x = self.layer_norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(self.layers):
            name = f"encoder.layer.{layer}"
            attended = self.dense(self.attention(x, f"{name}.attention.self"), f"{name}.attention.output.dense")
            x = self.layer_norm(x + attended, f"{name}.attention.output.LayerNorm")
            inner = self.dense(x, f"{name}.intermediate.dense")
            inner *= 0.5 * (1 + erf(inner * np.float32(2**-0.5)))
            x = self.layer_norm(x + self.dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
        return x

    def attention(self, x: np.ndarray, name: str) -> np.ndarray:
        batch, length, dimension = x.shape
        size = dimension // self.heads

        def split(part: str) -> np.ndarray:
            return self.dense(x, f"{name}.{part}").reshape(batch, length, self.heads, size).transpose(0, 2, 1, 3)

        scores = split("query") @ split("key").transpose(0, 1, 3, 2) / np.float32(size**0.5)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ split("value")
        return mixed.transpose(0, 2, 1, 3).reshape(batch, length, dimension)

    def dense(self, x: np.ndarray, name: str) -> np.ndarray:
        flat = x.reshape(-1, x.shape[-1]) @ self.weights[f"{name}.weight"].T
        return (flat + self.weights[f"{name}.bias"]).reshape(*x.shape[:-1], -1)

    def layer_norm(self, x: np.ndarray, name: str) -> np.ndarray:
        x = x - x.mean(axis=-1, keepdims=True)
        scale = 1 / np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(self.epsilon))
        return x * scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def same_length_batches(sequences: list[list[int]]):
    """Indexes of sequences of one length, as many as fit into BATCH_TOKENS."""
    lengths = np.array([len(ids) for ids in sequences])
    for length in np.unique(lengths):
        at = np.flatnonzero(lengths == length)
        yield from np.array_split(at, -(-at.size * int(length) // BATCH_TOKENS))
