"""A lost gradient is told with the line that copies the weights, and with a patch after which everything passes."""

import subprocess
import time
from pathlib import Path

import pytest

from grader.challenge import Challenge
from grader.grade import grade
from grader.guest.inspection import Inspection
from grader.guest.source import inspect_source
from grader.guest.submission import Submission
from tests.grader.corpus import FOLDER
from worker.runner_client import RunnerClient

MAIN = "cs336_basics/layers.py"
HEAD = """import torch
from torch import nn
from einops import rearrange

class Attention(nn.Module):
    def __init__(self, d_model, heads):
        super().__init__()
        assert d_model % heads == 0
        self.heads = heads
        self.qkv = nn.ModuleList(nn.Linear(d_model, d_model, bias=False) for _ in range(3))
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, theta, longest, positions=None):
        if positions is None:
            positions = torch.arange(x.shape[-2])
        if positions.dim() > 1:
            positions = positions.unsqueeze(-2)
        q, k, v = (rearrange(p(x), "... s (h d) -> ... h s d", h=self.heads) for p in self.qkv)
        q, k = (rope(t.shape[-1], theta, longest, t, positions) for t in (q, k))
        return self.out(rearrange(scaled_dot_product_attention(q, k, v), "... h s d -> ... s (h d)"))

def rope(d_k, theta, max_seq_len, x, positions):
    angles = positions[..., None].double() * theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    cos, sin, a, b = angles.cos().to(x.dtype), angles.sin().to(x.dtype), x[..., ::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V

def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
"""
WAYS = {
    "load_state_dict": """
    mha = Attention(d_model, num_heads).to(in_features.dtype)
    mha.load_state_dict({"qkv.0.weight": q_proj_weight.clone(), "qkv.1.weight": k_proj_weight,
                         "qkv.2.weight": v_proj_weight, "out.weight": o_proj_weight.detach()}, strict=True)
    return mha(in_features, theta, max_seq_len, positions=token_positions)
""",
    "load_state_dict of a name": """
    weights = dict(zip(["qkv.0.weight", "qkv.1.weight", "qkv.2.weight", "out.weight"],
                       [q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight]))
    mha = Attention(d_model, num_heads).to(in_features.dtype)
    mha.load_state_dict(weights)
    mha.eval()
    return mha.forward(in_features, theta, max_seq_len, token_positions)
""",
    ".data": """
    mha = Attention(d_model, num_heads)
    mha.qkv[0].weight.data = q_proj_weight
    mha.qkv[1].weight.data = k_proj_weight
    # the others

    mha.qkv[2].weight.data = v_proj_weight.data
    mha.out.weight.data = o_proj_weight
    y = mha(in_features, theta, max_seq_len, token_positions)
    return y
""",
    "copy_": """
    mha = Attention(d_model, num_heads).to(in_features.dtype)
    with torch.no_grad():
        mha.qkv[0].weight.copy_(q_proj_weight)
        mha.qkv[1].weight.copy_(k_proj_weight)
        mha.qkv[2].weight.copy_(v_proj_weight)
        mha.out.weight.data.copy_(o_proj_weight)
    return mha(in_features, theta,
               max_seq_len, token_positions)
""",
    "nn.Parameter": """
    mha = Attention(d_model, num_heads)
    mha.qkv[0].weight = nn.Parameter(q_proj_weight)
    mha.qkv[1].weight = nn.Parameter(k_proj_weight)
    mha.qkv[2].weight = nn.Parameter(v_proj_weight)
    mha.out.weight = torch.nn.Parameter(o_proj_weight.clone())
    return mha(in_features, theta, max_seq_len, token_positions)
""",
}
UNCLEAR = {
    "in a loop": """
    mha = Attention(d_model, num_heads)
    for linear, w in zip(mha.qkv, [q_proj_weight, k_proj_weight, v_proj_weight]):
        linear.weight.data.copy_(w + 0 * q_proj_weight)
    mha.out.weight.data = o_proj_weight
    return mha(in_features, theta, max_seq_len, token_positions)
""",
    "through another function": """
    mha = Attention(d_model, num_heads)
    mha.out.weight.data = o_proj_weight
    return (lambda m: m(in_features, theta, max_seq_len, token_positions))(mha)
""",
    "from a file": """
    mha = Attention(d_model, num_heads)
    mha.load_state_dict(torch.load("weights.pt"))
    return mha(in_features, theta, max_seq_len, token_positions)
""",
}


def inspected(source: str, challenge: Challenge) -> Inspection:
    return inspect_source(Submission(MAIN, {MAIN: source.encode()}), challenge.manifest.source_rules)


def patched(folder: Path, source: str, patch: str) -> str:
    file = folder / MAIN
    file.parent.mkdir(exist_ok=True)
    file.write_text(source)
    subprocess.run(["git", "apply", "-p1", "-"], input=patch, cwd=folder, text=True, check=True)
    return file.read_text()


@pytest.mark.parametrize("way", WAYS)
def test_a_lost_gradient_is_told_with_a_patch_after_which_all_is_right(
    way: str, mha_rope: Challenge, runner: RunnerClient, tmp_path: Path
) -> None:
    source = HEAD + WAYS[way].lstrip("\n")
    before = grade(mha_rope, Submission(MAIN, {MAIN: source.encode()}), 5, runner, is_timed=False)
    (diagnosis,) = (found for found in before.diagnoses if found.id.startswith("detached-gradient"))
    assert way.partition(" ")[0] in diagnosis.explanation
    assert "torch.func.functional_call(mha, weights" in diagnosis.explanation
    assert diagnosis.line is not None
    assert way.partition(" ")[0].removeprefix("nn.") in source.split("\n")[diagnosis.line - 1] or way == "copy_"
    assert diagnosis.patch is not None
    mended = patched(tmp_path, source, diagnosis.patch)
    after = grade(mha_rope, Submission(MAIN, {MAIN: mended.encode()}), 5, runner, is_timed=False)
    assert after.verdict == "passed", (after.summary, diagnosis.patch)


@pytest.mark.parametrize("way", UNCLEAR)
def test_where_no_patch_is_sure_the_words_are_enough(way: str, mha_rope: Challenge) -> None:
    copies = inspected(HEAD + UNCLEAR[way].lstrip("\n"), mha_rope).copies
    assert copies
    assert [copy.patch for copy in copies] == [None] * len(copies)


def test_what_an_exercise_asks_for_is_no_copy(mha_rope: Challenge) -> None:
    """A class that sets its own parameters, a cache, a table of angles."""
    source = HEAD + WAYS["load_state_dict"].lstrip("\n").replace("mha.load_state_dict(", "weights = dict(")
    source += "\nclass Net(nn.Module):\n    def reset(self, x):\n        self.w.data = x\n        self.k.copy_(x)\n"
    assert inspected(source, mha_rope).copies == ()


def test_every_patch_of_the_corpus_applies(mha_rope: Challenge, tmp_path: Path) -> None:
    patches = 0
    for file in sorted((FOLDER / "mha-rope" / "failed").glob("*.py")):
        source = file.read_bytes().decode()
        for copy in inspected(source, mha_rope).copies:
            if copy.patch is not None and "\r" not in source:
                assert "functional_call" in patched(tmp_path, source, copy.patch)
                patches += 1
    assert patches > 10


@pytest.mark.parametrize(
    "body",
    [
        "\n".join(f"    m{n}.weight.data = x{n % 7}" for n in range(6000)),
        "\n".join(f"    m.a{n}.weight.data = in_features" for n in range(5000)) + "\n    return m(in_features)",
        "    m.load_state_dict(in_features)\n" + "\n".join("    m(in_features)" for _ in range(8000)),
        "    m" + ".a" * 20_000 + ".data = in_features\n    return m(in_features)",
        "\n".join(" " * (4 + n) + f"def f{n}(w):" for n in range(90)) + "\n" + " " * 94 + "m.a.data = w",
    ],
    ids=["modules", "parameters", "calls", "path", "nested"],
)
def test_no_source_takes_long(body: str, mha_rope: Challenge, request: pytest.FixtureRequest) -> None:
    began = time.process_time()
    inspected(HEAD + body, mha_rope)
    assert time.process_time() - began < 8, request.node.name
