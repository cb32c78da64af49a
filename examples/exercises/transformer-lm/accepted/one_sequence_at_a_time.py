"""A model of a single sequence, mapped over the leading axes; in float64 throughout."""

import torch
from torch import nn


class Block:
    def __init__(self, weights, num_heads, theta, eps):
        self.weights = {name: weight.double() for name, weight in weights.items()}
        self.num_heads, self.theta, self.eps = num_heads, theta, eps

    def __call__(self, x, positions):
        x = x + self.attend(self.norm(x, "attn"), positions)
        return x + self.think(self.norm(x, "ffn"))

    def norm(self, x, which):
        return x * (x.square().mean(1, keepdim=True) + self.eps).rsqrt() * self.weights[f"{which}_norm.weight"]

    def attend(self, z, positions):
        d_model = z.shape[1]
        d_head = d_model // self.num_heads
        q, k, v = (z @ self.weights[f"attn.{name}_proj.weight"].t() for name in "qkv")
        heads = [slice(h * d_head, (h + 1) * d_head) for h in range(self.num_heads)]
        found = [self.head(q[:, own], k[:, own], v[:, own], positions) for own in heads]
        return torch.cat(found, dim=1) @ self.weights["attn.o_proj.weight"].t()

    def head(self, q, k, v, positions):
        scores = self.turn(q, positions) @ self.turn(k, positions).t() / q.shape[1] ** 0.5
        scores[torch.ones_like(scores).triu(1).bool()] = -torch.inf
        return nn.Softmax(dim=1)(scores) @ v

    def turn(self, x, positions):
        width = x.shape[1]
        speed = torch.exp(
            -torch.arange(0, width, 2).double()
            / width
            * torch.log(torch.tensor(float(self.theta), dtype=torch.float64))
        )
        angle = torch.outer(positions.double(), speed)
        a, b = x[:, 0::2], x[:, 1::2]
        return torch.stack((a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()), dim=2).flatten(1)

    def think(self, z):
        return (
            nn.SiLU()(z @ self.weights["ffn.w1.weight"].t()) * (z @ self.weights["ffn.w3.weight"].t())
        ) @ self.weights["ffn.w2.weight"].t()


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    positions = torch.arange(x.shape[-2]) if token_positions is None else token_positions
    positions = positions.expand(x.shape[:-1]).reshape(-1, x.shape[-2])
    block = Block(weights, num_heads, theta, eps)
    sequences = x.double().reshape(-1, *x.shape[-2:])
    done = [block(sequence, row) for sequence, row in zip(sequences, positions, strict=True)]
    return torch.stack(done).reshape(x.shape).to(x.dtype)


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    rows = token_ids.reshape(-1, token_ids.shape[-1])
    head = weights["lm_head.weight"]
    logits = torch.stack([logits_of_one(row, weights, num_layers, num_heads, max_seq_len, theta, eps) for row in rows])
    return logits.reshape(*token_ids.shape, len(head)).to(head.dtype)


def logits_of_one(row, weights, num_layers, num_heads, max_seq_len, theta, eps):
    x = weights["token_embeddings.weight"].double().index_select(0, row)
    for layer in range(num_layers):
        own = {name.split(".", 2)[-1]: each for name, each in weights.items() if name.split(".")[1] == str(layer)}
        x = transformer_block(x, own, num_heads, max_seq_len, theta, eps=eps)
    x = x * (x.square().mean(1, keepdim=True) + eps).rsqrt() * weights["final_norm.weight"].double()
    return x @ weights["lm_head.weight"].double().t()
