"""A diagnosis points to the line where the mistake probably stands, not to the head of a long function."""

from collections.abc import Set

import pytest

from grader.challenge import Challenge
from grader.diagnosis.locate import place_of
from grader.exercise import exercise_of
from grader.guest.inspection import FindingKind
from grader.guest.source import inspect_source
from grader.guest.submission import Submission
from tests.installed import installed

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
        ("positions-ignored", "token_positions = torch.arange"),
        ("causal-mask", "out = scaled_dot_product_attention"),
    ],
)
def test_a_diagnosis_points_to_the_step(mha_rope: Challenge, mistake: str, line: str) -> None:
    assert line in located(mha_rope.slug, SOURCE, mistake)


LAYER = "class Layer(nn.Module):\n    def __init__(self):\n        self.weight = nn.Parameter(torch.empty(1))\n"
MAIN = "def rmsnorm(x, weight, eps=1e-5):"


@pytest.mark.parametrize(
    ("cut", "line"),
    [
        ("w.detach()", "return x * w.detach()"),
        ("nn.Linear(1, 1, False).load_state_dict(w)", "return x * nn.Linear(1, 1, False).load_state_dict(w)"),
        ("nn.Parameter(w)", "return x * nn.Parameter(w)"),
        ("w", MAIN),
    ],
)
def test_a_missing_gradient_points_to_where_the_graph_is_left(cut: str, line: str) -> None:
    scaled = f"def scaled(x, w):\n    return x * {cut}\n"
    source = f"import torch\nfrom torch import nn\n{scaled}{MAIN}\n    return scaled(x, weight)\n"
    assert located("rmsnorm", source, "detached-gradient") == line


def test_a_layer_that_holds_its_weights_does_not_hide_where_the_graph_is_left() -> None:
    source = f"import torch\nfrom torch import nn\n{LAYER}{MAIN}\n    return x * weight.data * Layer().weight\n"
    assert located("rmsnorm", source, "detached-gradient") == "return x * weight.data * Layer().weight"


def test_two_functions_that_leave_the_graph_are_not_told_apart() -> None:
    table = "def table(x):\n    with torch.no_grad():\n        return x.cos()\n"
    scaled = "def scaled(x, w):\n    return x * w.detach()\n"
    source = f"import torch\n{table}{scaled}{MAIN}\n    return scaled(x, weight) * table(x)\n"
    assert located("rmsnorm", source, "detached-gradient") == MAIN


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


def located(slug: str, source: str, mistake: str, right: Set[str] = frozenset(), shown: Set[str] = frozenset()) -> str:
    """The line that the diagnosis points to, as it stands in the source."""
    challenge = installed()[slug]
    exercise = exercise_of(challenge)
    main = challenge.manifest.default_path
    inspection = inspect_source(Submission(main, {main: source.encode()}), challenge.manifest.source_rules)
    assert inspection.refusal is None
    found = next(misconception for misconception in exercise.misconceptions if misconception.name == mistake)
    place = place_of(exercise, inspection, found, right, shown)
    assert place is not None
    return source.splitlines()[place.line - 1].strip()


def test_no_diagnosis_points_into_a_class_that_is_right() -> None:
    line = located("mha-module", CLASSES, "causal-mask", frozenset({"MultiHeadAttention"}))
    assert line.startswith("class CausalAttention")


SINGLE_HEAD_OF_ANOTHER_NAME = """\
import torch
from torch import nn

class OneHead(nn.Module):
    def forward(self, x):
        scores = self.query(x) @ self.key(x).mT
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
        return torch.softmax(scores / x.shape[-1] ** 0.5, -1) @ self.value(x)

class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        sizes = (d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList(CausalAttention(*sizes) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)

class MultiHeadAttention(nn.Module):
    def forward(self, x):
        scores = self.query(x) @ self.key(x).mT
        mask = torch.ones_like(scores).triu(1)
        later = mask.bool()
        scores.masked_fill(later, -torch.inf)
        return torch.softmax(scores, -1) @ self.value(x)

"""
RIGHT_HEADS = frozenset({"CausalAttention", "MultiHeadAttentionWrapper"})


@pytest.mark.parametrize("name", ["class CausalAttention(OneHead):\n    pass\n", "CausalAttention = OneHead\n"])
def test_what_a_right_class_inherits_or_stands_for_is_right_too(name: str) -> None:
    line = located("mha-module", SINGLE_HEAD_OF_ANOTHER_NAME + name, "causal-mask", RIGHT_HEADS)
    assert line == "scores.masked_fill(later, -torch.inf)"


BOTH_WRONG_IN_THEIR_OWN_WAYS = """\
import torch
from torch import nn

class CausalAttention(nn.Module):
    def forward(self, x):
        later = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        scores = (self.query(x) @ self.key(x).mT).masked_fill(later, -torch.inf)
        return torch.softmax(scores / x.shape[1] ** 0.5, -1) @ self.value(x)

class MultiHeadAttention(nn.Module):
    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (-1, self.head_dim)).mT for layer in self.layers)
        return (torch.softmax(q @ k.mT / self.head_dim ** 0.5, -1) @ v).flatten(-2)

class MultiHeadAttentionWrapper(nn.Module):
    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)
"""


def test_a_mistake_of_the_single_head_does_not_point_into_the_class_of_many() -> None:
    line = located("mha-module", BOTH_WRONG_IN_THEIR_OWN_WAYS, "scale-by-tokens", frozenset({"MultiHeadAttention"}))
    assert line.startswith("class CausalAttention")


def test_a_mistake_of_many_heads_does_not_point_into_a_single_head_that_is_wrong_in_another_way() -> None:
    line = located("mha-module", BOTH_WRONG_IN_THEIR_OWN_WAYS, "causal-mask", shown=frozenset({"MultiHeadAttention"}))
    assert line == "class MultiHeadAttention(nn.Module):"


MANY_AND_ONE = """\
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.layers = nn.ModuleList(nn.Linear(d_in, d_out, qkv_bias) for _ in range(3))

    def forward(self, x):
        q, k, v = (layer(x).reshape(len(x), self.num_heads, x.shape[1], -1) for layer in self.layers)
        return self.merge(torch.softmax(q @ k.mT, -1) @ v)

    def merge(self, context):
        return context.transpose(1, 2).flatten(-2)

class CausalAttention(MultiHeadAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, 1, qkv_bias)

class MultiHeadAttentionWrapper(nn.Module):
    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)
"""


def test_a_single_head_that_is_right_says_nothing_about_what_only_several_show() -> None:
    line = located("mha-module", MANY_AND_ONE, "reshape-before-transpose", frozenset({"CausalAttention"}))
    assert "reshape(len(x)" in line


def test_a_mistake_of_both_is_found_in_the_class_that_one_inherits_from() -> None:
    assert "torch.softmax" in located("mha-module", MANY_AND_ONE, "softmax-dim")


A_HELPER_FOR_BOTH = """\
import torch
from torch import nn

def attend(q, k, v):
    scores = q @ k.mT
    scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -100)
    return torch.softmax(scores, -1) @ v

class CausalAttention(nn.Module):
    def forward(self, x):
        return attend(*(layer(x) for layer in self.layers))

class MultiHeadAttentionWrapper(nn.Module):
    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)

class MultiHeadAttention(nn.Module):
    def forward(self, x):
        return attend(*(layer(x).unflatten(-1, (4, -1)).mT for layer in self.layers)).flatten(-2)
"""


def test_what_right_and_wrong_classes_share_is_suspected_last() -> None:
    assert "masked_fill" in located("mha-module", A_HELPER_FOR_BOTH, "mask-too-weak", RIGHT_HEADS)


OFF_BY_DEFAULT = """\
import torch

def attend(q, k, v, attn_mask=None, is_causal=False):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if is_causal:
        scores = scores.masked_fill(torch.ones_like(scores).tril() == 0, -torch.inf)
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, -torch.inf)
    return torch.softmax(scores, -1) @ v

def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    return attend(q, k, v, mask)
"""


@pytest.mark.parametrize(
    ("call", "hidden"), [("mask)", "(attn_mask == 0,"), ("mask, is_causal=True)", ".tril() == 0,")]
)
def test_a_branch_whose_flag_nobody_sets_is_not_pointed_to(call: str, hidden: str) -> None:
    line = located("mha-functional", OFF_BY_DEFAULT.replace("mask)", call), "mask-inverted")
    assert hidden in line


LOOPS = """\
import torch
from torch import nn

class CausalAttention(nn.Module):
    def forward(self, x):
        return torch.softmax(self.query(x) @ self.key(x).mT, -1) @ self.value(x)

class MultiHeadAttentionWrapper(nn.Module):
    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)

class MultiHeadAttention(nn.Module):
    def forward(self, x):
        out = [head(x) for head in self.heads]  # the loop that is forbidden
        return torch.cat(out, -1)

if __name__ == "__main__":
    out = MultiHeadAttentionWrapper(8, 8, 4, 0.0, 2)(torch.ones(1, 4, 8))
"""


def test_the_rule_about_loops_does_not_point_into_the_wrapper_which_may_loop() -> None:
    challenge = installed()["mha-module"]
    main = challenge.manifest.default_path
    inspection = inspect_source(Submission(main, {main: LOOPS.encode()}), challenge.manifest.source_rules)
    (loop,) = inspection.findings
    assert "forbidden" in LOOPS.splitlines()[loop.place.line - 1]


LIBRARY_OUT_OF_SIGHT = """\
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.attend = globals()["Hid" + "den"]()

    def forward(self, x):
        return self.attend(x, x, x)

class Hidden:
    def forward(self, q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

class CausalAttention(nn.Module):
    def forward(self, x):
        return torch.softmax(self.query(x) @ self.key(x).mT, -1) @ self.value(x)

class MultiHeadAttentionWrapper(nn.Module):
    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)
"""


def test_where_the_source_decides_a_method_of_the_same_name_is_looked_into() -> None:
    challenge = installed()["mha-module"]
    main = challenge.manifest.default_path
    source = LIBRARY_OUT_OF_SIGHT.encode()
    inspection = inspect_source(Submission(main, {main: source}), challenge.manifest.source_rules)
    assert [found.kind for found in inspection.findings] == [FindingKind.LIBRARY]


def test_a_mask_and_a_softmaxs_maximum_have_no_gradient_to_lose() -> None:
    source = """\
import math
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) * (1.0 / math.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores + Tensor((1.0 - mask.data) * -1e9)
    powers = (scores - Tensor(scores.data.max(axis=-1, keepdims=True))).exp()
    weights = Tensor((powers / powers.sum(axis=-1, keepdims=True)).data)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        pass

    def forward(self, x, mask=None):
        return scaled_dot_product_attention(x, x, x, mask)[0]

    def parameters(self):
        return []
"""
    line = "weights = Tensor((powers / powers.sum(axis=-1, keepdims=True)).data)"
    assert located("tinytorch-attention", source, "detached-gradient") == line
