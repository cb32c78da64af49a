"""A diagnosis points to the line where the mistake probably stands, not to the head of a long function."""

import pytest

from grader.challenge import Challenge, load_challenges
from grader.exercise import exercise_of
from grader.locate import place_of
from grader.source import inspect_source
from grader.submission import Submission

SOURCE = """\
import math
import torch

def rope(d_k, theta, max_seq_len, x, positions):
    frequencies = theta ** (-torch.arange(0, d_k, 2) / d_k)
    angles = positions[..., None] * frequencies
    cos, sin = angles.cos(), angles.sin()
    return torch.stack((x[..., ::2] * cos - x[..., 1::2] * sin, x[..., ::2] * sin + x[..., 1::2] * cos), -1).flatten(-2)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    weights = torch.softmax(scores, -1)
    return weights @ V

class Attention:
    def __init__(self, heads):
        self.heads = heads

    def __call__(self, x, q, k, v, o, theta, length, positions):
        split = lambda w: (x @ w.T).unflatten(-1, (self.heads, -1)).transpose(-3, -2)
        Q, K, V = split(q), split(k), split(v)
        Q = rope(Q.shape[-1], theta, length, Q, positions)
        K = rope(K.shape[-1], theta, length, K, positions)
        out = scaled_dot_product_attention(Q, K, V)
        return out.transpose(-3, -2).flatten(-2) @ o.T

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
                                       v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    attend = Attention(num_heads)
    weights = (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight)
    return attend(in_features, *weights, theta, max_seq_len, token_positions)
"""


@pytest.mark.parametrize(
    ("mistake", "line"),
    [
        ("rope-on-v", "K = rope("),
        ("theta-ignored", "frequencies = theta"),
        ("half-split-rope", "cos, sin ="),
        ("missing-scale", "math.sqrt"),
        ("softmax-dim", "torch.softmax"),
        ("head-order", "unflatten"),
        ("missing-transpose-back", "flatten(-2) @ o.T"),
        ("positions-ignored", "if token_positions is None"),
        ("causal-mask", "out = scaled_dot_product_attention"),
    ],
)
def test_a_diagnosis_points_to_the_step(mha_rope: Challenge, mistake: str, line: str) -> None:
    exercise = exercise_of(mha_rope)
    main = mha_rope.manifest.default_path
    inspection = inspect_source(Submission(main, {main: SOURCE.encode()}), mha_rope.manifest.source_rules)
    found = next(misconception for misconception in exercise.misconceptions if misconception.id == mistake)
    place = place_of(exercise, inspection, found)
    assert place is not None
    assert line in SOURCE.splitlines()[place.line - 1]


CLASSES = """\
import torch
from torch import nn

class CausalAttention(nn.Module):
    def forward(self, x):
        return torch.softmax(self.query(x) @ self.key(x).mT, dim=-1) @ self.value(x)

class MultiHeadAttentionWrapper(nn.Module):
    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)

class MultiHeadAttention(nn.Module):
    def forward(self, x):
        mask = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        scores = self.scores(x).masked_fill(mask, -torch.inf)
        return torch.softmax(scores, dim=-1) @ self.value(x)
"""


def test_no_diagnosis_points_into_a_class_that_is_right() -> None:
    challenge = load_challenges()["mha-module"]
    exercise = exercise_of(challenge)
    main = challenge.manifest.default_path
    inspection = inspect_source(Submission(main, {main: CLASSES.encode()}), challenge.manifest.source_rules)
    found = next(misconception for misconception in exercise.misconceptions if misconception.name == "causal-mask")
    place = place_of(exercise, inspection, found, frozenset({"MultiHeadAttention"}))
    assert place is not None
    assert CLASSES.splitlines()[place.line - 1].startswith("class CausalAttention")
