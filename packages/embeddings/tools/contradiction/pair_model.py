"""A MiniLM that reads two texts together and answers with one logit: do they contradict each other?

[CLS] a [SEP] b [SEP] -> six layers -> mean of the last -> tanh layer -> logit. The layers start from the bundled sentence model,
whose int8 weights are turned back into floats; its embeddings stay as they are."""

import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional as F

MAX_TOKENS = 160


class PairModel(nn.Module):
    def __init__(self, config: dict, dropout: float = 0.1):
        super().__init__()
        size = config["hidden_size"]
        self.words = nn.Embedding(config["vocab_size"], size)
        self.positions = nn.Embedding(config["max_position_embeddings"], size)
        self.sides = nn.Embedding(config["type_vocab_size"], size)
        self.norm = nn.LayerNorm(size, eps=config["layer_norm_eps"])
        self.layers = nn.ModuleList(Layer(config, dropout) for _ in range(config["num_hidden_layers"]))
        self.dropout = nn.Dropout(dropout)
        self.pooler = nn.Linear(size, size)
        self.logit = nn.Linear(size, 1)
        for frozen in (self.words, self.positions):
            frozen.weight.requires_grad_(False)

    def forward(self, ids, sides, mask):
        """[pairs, tokens] three times -> [pairs]"""
        x = self.words(ids) + self.positions.weight[: ids.shape[1]] + self.sides(sides)
        x = self.dropout(self.norm(x))
        attended = mask[:, None, None, :].bool()
        for layer in self.layers:
            x = layer(x, attended)
        weights = mask[:, :, None].float()
        mean = (x * weights).sum(1) / weights.sum(1)
        return self.logit(self.dropout(torch.tanh(self.pooler(mean)))).squeeze(-1)


class Layer(nn.Module):
    def __init__(self, config: dict, dropout: float):
        super().__init__()
        size, inner = config["hidden_size"], config["intermediate_size"]
        self.heads = config["num_attention_heads"]
        self.query, self.key, self.value, self.merge = (nn.Linear(size, size) for _ in range(4))
        self.attention_norm = nn.LayerNorm(size, eps=config["layer_norm_eps"])
        self.widen, self.narrow = nn.Linear(size, inner), nn.Linear(inner, size)
        self.norm = nn.LayerNorm(size, eps=config["layer_norm_eps"])
        self.dropout = nn.Dropout(dropout)
        self.dropout_share = dropout

    def forward(self, x, attended):
        query, key, value = (
            part(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        dropped = self.dropout_share if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=attended, dropout_p=dropped)
        x = self.attention_norm(x + self.dropout(self.merge(mixed.transpose(1, 2).flatten(2))))
        return self.norm(x + self.dropout(self.narrow(F.gelu(self.widen(x)))))


PARTS = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "merge",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "widen",
    "output.dense": "narrow",
    "output.LayerNorm": "norm",
}


def from_sentence_model(folder: Path, dropout: float = 0.1) -> PairModel:
    """The pair model whose layers are those of an int8 ONNX model: of a sentence model with a random head, of a pair model with its own."""
    model = PairModel(json.loads((folder / "config.json").read_text()), dropout)
    graph = onnx.load(str(folder / "onnx" / "model_quantized.onnx")).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    state = model.state_dict()

    def floats(name: str) -> torch.Tensor:
        if name in stored:
            return torch.from_numpy(stored[name].astype(np.float32))
        values, scale, zero = (stored[f"{name}_{part}"] for part in ("quantized", "scale", "zero_point"))
        zero = zero.reshape(-1) if zero.shape == scale.shape else zero
        return torch.from_numpy((values.astype(np.float32) - zero.astype(np.float32)) * scale)

    for name, part in {"words": "word", "positions": "position", "sides": "type"}.items():
        state[f"{name}.weight"] = floats(f"embeddings.{part}")
    for part in ("weight", "bias"):
        state[f"norm.{part}"] = floats(f"embeddings.LayerNorm.{part}")
    for at in range(len(model.layers)):
        for theirs, ours in PARTS.items():
            source, target = f"encoder.layer.{at}.{theirs}", f"layers.{at}.{ours}"
            state[f"{target}.bias"] = floats(f"{source}.bias")
            norm = theirs.endswith("LayerNorm")
            state[f"{target}.weight"] = floats(f"{source}.weight") if norm else floats(f"{source}.weightT").T.contiguous()
    for part in ("pooler", "logit"):
        if f"pair.{part}.weight" in stored:
            state[f"{part}.weight"] = floats(f"pair.{part}.weight").T.contiguous()
            state[f"{part}.bias"] = floats(f"pair.{part}.bias")
    model.load_state_dict(state)
    return model


def pair_tokenizer(folder: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    return tokenizer


def batches(encodings, indexes, size_of_batch: int):
    """Yields (indexes, ids, sides, mask) of pairs of similar length, so that there is little padding."""
    for start in range(0, len(indexes), size_of_batch):
        chosen = indexes[start : start + size_of_batch]
        longest = max(len(encodings[at].ids) for at in chosen)
        ids, sides, mask = (torch.zeros(len(chosen), longest, dtype=torch.long) for _ in range(3))
        for row, at in enumerate(chosen):
            encoding = encodings[at]
            length = len(encoding.ids)
            ids[row, :length] = torch.tensor(encoding.ids)
            sides[row, :length] = torch.tensor(encoding.type_ids)
            mask[row, :length] = 1
        yield chosen, ids, sides, mask


@torch.no_grad()
def probabilities(model: PairModel, tokenizer: Tokenizer, pairs: list[tuple[str, str]]) -> np.ndarray:
    """One probability a pair: the mean of both orders' logits, through the sigmoid."""
    model.eval()
    encodings = tokenizer.encode_batch([*pairs, *((b, a) for a, b in pairs)])
    order = sorted(range(len(encodings)), key=lambda at: len(encodings[at].ids))
    logits = np.zeros(len(encodings))
    for chosen, ids, sides, mask in batches(encodings, order, 64):
        logits[chosen] = model(ids, sides, mask).numpy()
    mean = (logits[: len(pairs)] + logits[len(pairs) :]) / 2
    return 1 / (1 + np.exp(-mean))
