"""The sentence model as PyTorch reads it, for questions: its upper layers are trained, the lower ones run once for each text."""

import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

sys.path.append(str(Path(__file__).parent.parent / "contradiction"))
from pair_model import PairModel, batches, from_sentence_model  # noqa: E402

MAX_TOKENS = 256
# The first layer with weights of its own; those below are shared with stored texts.
TRAINED_FROM = 3


class AnswerTower:
    def __init__(self, folder: Path, dropout: float = 0.1):
        self.model: PairModel = from_sentence_model(folder, dropout)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad_(name.startswith("layers.") and int(name.split(".")[1]) >= TRAINED_FROM)

    @property
    def trained(self) -> list[torch.nn.Parameter]:
        return [parameter for parameter in self.model.parameters() if parameter.requires_grad]

    @torch.no_grad()
    def beneath(self, texts: list[str]) -> list[torch.Tensor]:
        """What the trained layers read of each text: [tokens, dimension]."""
        self.model.eval()
        encodings = self.tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda at: len(encodings[at].ids))
        found = [torch.empty(0)] * len(texts)
        for chosen, ids, sides, mask in batches(encodings, order, 64):
            model = self.model
            x = model.norm(model.words(ids) + model.positions.weight[: ids.shape[1]] + model.sides(sides))
            for layer in model.layers[: TRAINED_FROM]:
                x = layer(x, mask[:, None, None, :].bool())
            for row, at in enumerate(chosen):
                found[at] = x[row, : len(encodings[at].ids)].clone()
        return found

    def vectors(self, beneath: list[torch.Tensor]) -> torch.Tensor:
        """[texts, dimension], of unit length"""
        x = torch.nn.utils.rnn.pad_sequence(beneath, batch_first=True)
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones(len(tokens)) for tokens in beneath], batch_first=True)
        x = self.model.dropout(x)
        for layer in self.model.layers[TRAINED_FROM :]:
            x = layer(x, mask[:, None, None, :].bool())
        return F.normalize((x * mask[:, :, None]).sum(1), dim=-1)

    @torch.no_grad()
    def vectors_of(self, texts: list[str]) -> torch.Tensor:
        beneath = self.beneath(texts)
        self.model.eval()
        return torch.cat([self.vectors(beneath[at : at + 64]) for at in range(0, len(texts), 64)])
