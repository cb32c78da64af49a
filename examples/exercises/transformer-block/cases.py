"""The case families of transformer-block: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: batch, seq, heads, d_head and d_ff differ, and the norms' weights too.
Each weight is an argument of its own, so that gradients can be asked for: sandbox/harness.py puts them together.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, GradMode, StructureCall

BLOCK = "transformer_block"
NORMS = {"attn_norm_weight": "attn_norm.weight", "ffn_norm_weight": "ffn_norm.weight"}
ATTENTION = {f"{role}_proj_weight": f"attn.{role}_proj.weight" for role in "qkvo"}
FFN = {f"w{number}_weight": f"ffn.w{number}.weight" for number in (1, 2, 3)}
NAMES = ATTENTION | NORMS | FFN
LEFT_OUT = "left out"
DEFAULT = 1e-5  # of eps
# Whatever the sizes: six of each norm, twelve of rotation and softmax, six of the gate, the two sums.
ELEMENTWISE = 32


def _arguments(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (2,),
    seq: int = 6,
    heads: int = 3,
    d_head: int = 4,
    d_ff: int = 10,
    theta: float = 500.0,
    positions: Tensor | str | None = LEFT_OUT,
    eps: float | None = None,
    size: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> dict:
    """`size` is that of the values of x. Rows of x differ in size and have a mean: no other norm is a substitute."""
    d_model = heads * d_head
    shapes = dict.fromkeys(ATTENTION, (d_model, d_model))
    shapes |= {"w1_weight": (d_ff, d_model), "w2_weight": (d_model, d_ff), "w3_weight": (d_ff, d_model)}
    rows = size * (1 + draw.normal(*batch, seq, 1).abs())
    x = rows * (draw.normal(*batch, seq, d_model) + draw.choice([-0.5, 0.5]))
    if eps is not None and positions is LEFT_OUT:
        positions = None  # whoever has renamed the parameters can be given the last one only after all others
    highest = int(positions.max()) + 1 if isinstance(positions, Tensor) else seq
    arguments = {"x": x, "num_heads": heads, "max_seq_len": max(seq, highest), "theta": theta}
    if positions is not LEFT_OUT:
        arguments["token_positions"] = positions
    if eps is not None:
        arguments["eps"] = eps
    arguments |= {name: draw.normal(d_model) + 0.5 for name in NORMS}
    arguments |= {name: 1.5 * draw.normal(*shape) / math.sqrt(shape[1]) for name, shape in shapes.items()}
    return {name: value.to(dtype) if _is_floating(value) else value for name, value in arguments.items()}


def _is_floating(value: object) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _growth(draw: Draw, arguments: dict) -> float:
    """How many roundings a right answer may be off by: of the sums, of logits that the softmax takes to the exponent, and
    of the largest term where sums on the residual path cancel.
    """
    reference, heads, eps = draw.reference, arguments["num_heads"], arguments.get("eps", DEFAULT)
    given = {name: value.double() if _is_floating(value) else value for name, value in arguments.items()}
    x, weights = given["x"], {key: given[name] for name, key in NAMES.items()}
    positions = reference.resolve_positions(given.get("token_positions"), x)
    z = reference.rms_norm(x, weights["attn_norm.weight"], eps)
    Q, K = (reference.split_heads(reference.project(z, given[f"{role}_proj_weight"]), heads) for role in "qk")
    logits = (Q.norm(dim=-1).amax() * K.norm(dim=-1).amax() / math.sqrt(Q.shape[-1])).item()

    plain = {key: torch.eye(len(weights[key].mT), dtype=x.dtype) for key in ("attn.o_proj.weight", "ffn.w2.weight")}
    merged = reference.self_attention(z, weights | plain, heads, arguments["theta"], positions)
    h = x + reference.project(merged, weights["attn.o_proj.weight"])
    terms = x.abs() + merged.abs() @ weights["attn.o_proj.weight"].mT.abs()
    # The second norm divides by the size of h: where terms cancel in a token, their roundings are large beside it.
    cancelled = _size(terms, eps) / _size(h, eps)
    hidden = reference.feed_forward(reference.rms_norm(h, weights["ffn_norm.weight"], eps), weights | plain)
    output = h + reference.project(hidden, weights["ffn.w2.weight"])
    terms += hidden.abs() @ weights["ffn.w2.weight"].mT.abs()
    cancelled = max(1.0, cancelled.amax().item(), (terms.amax() / output.abs().amax()).item())

    features, width, farthest = math.sqrt(x.shape[-1]), math.sqrt(Q.shape[-1]), int(positions.max())
    # |logits| is bounded by |q||k|; the logits met are about a third of that bound.
    sums = math.sqrt(x.shape[-2]) + 5 * features + math.sqrt(hidden.shape[-1])
    return cancelled * (ELEMENTWISE + sums + logits * (2 * features + width + farthest) / 3)


def _size(x: Tensor, eps: float) -> Tensor:
    """The root mean square of each token, as a norm takes it. A token of zeros is as large as its terms."""
    return torch.sqrt(x.square().mean(dim=-1) + eps).clamp(min=1e-12)


def _case(draw: Draw, name: str, title: str, given: dict | None = None, *, hint: str = "", **sizes: object) -> Case:
    """`given` replaces what was drawn."""
    arguments = _arguments(draw, **sizes) | (given or {})
    return Case(name, title, Call("", BLOCK, arguments), growth=_growth(draw, arguments), hint=hint)


def _example() -> dict:
    plain = {"x": torch.tensor([[3.0, 4.0]]), "num_heads": 1, "max_seq_len": 1, "theta": 10_000.0}
    plain |= {"token_positions": None, "eps": 0.0}
    return plain | dict.fromkeys(NORMS, torch.ones(2)) | dict.fromkeys(ATTENTION | FFN, torch.eye(2))


def values(draw: Draw) -> Iterator[Case]:
    """The whole block, with any number of heads and leading axes."""
    yield Case("example", "the example of spec.md", Call("", BLOCK, _example()), growth=_growth(draw, _example()))
    for count in (1, 4):
        yield _case(draw, f"heads-{count}", f"{count} head{'s' if count > 1 else ''}", heads=count)
    yield _case(draw, "narrow", "d_ff smaller than d_model", d_ff=5)
    yield _case(draw, "square", "d_ff equal to d_model", d_ff=12)
    axes = "Count axes from the end: there may be any number of leading axes."
    yield _case(draw, "no-batch", "no leading axis: (seq, d_model)", batch=(), hint=axes)
    yield _case(draw, "two-axes", "two leading axes", batch=(2, 3), hint=axes)
    yield _case(draw, "wide", "2 heads of 32 features, d_ff = 172", heads=2, d_head=32, d_ff=172, seq=5)


def paths(draw: Draw) -> Iterator[Case]:
    """Where one branch gives zero, the other and the residual paths stand alone."""
    zero = {"o_proj_weight": torch.zeros(12, 12)}
    hint = "What is added back is what came in, unchanged: the norm stands on the way into the branch only."
    yield _case(draw, "ffn-alone", "an attention that gives zero: x + ffn(norm(x))", zero, hint=hint)
    still = {"w2_weight": torch.zeros(12, 10)}
    yield _case(
        draw, "attention-alone", "a feed-forward network that gives zero: x + attention(norm(x))", still, hint=hint
    )
    yield _case(draw, "neither", "both branches give zero: the block gives back x", zero | still, hint=hint)
    yield _case(draw, "large-x", "x a hundred times as large as the branches", size=100.0, hint=hint)


def norms(draw: Draw) -> Iterator[Case]:
    """Each has its own weight and place, and the caller's eps: only small values tell."""
    own = "Each norm has a weight of its own: attn_norm.weight before the attention, ffn_norm.weight before the rest."
    yield _case(draw, "first-zero", "attn_norm.weight of zeros", {"attn_norm_weight": torch.zeros(12)}, hint=own)
    yield _case(draw, "second-zero", "ffn_norm.weight of zeros", {"ffn_norm_weight": torch.zeros(12)}, hint=own)
    both = "Both norms use the caller's eps, under the root; it is 1e-5 when it is left out."
    yield _case(draw, "eps", "eps = 0.3", eps=0.3, hint=both)
    yield _case(draw, "eps-left-out", "eps left out, values of a thousandth", size=1e-3, hint=both)
    faint = {"attn_norm_weight": torch.zeros(12)}
    yield _case(
        draw,
        "eps-of-the-second",
        "small values, and an attention that adds nothing",
        faint,
        eps=1e-3,
        size=0.02,
        hint=both,
    )
    yield _case(draw, "eps-zero", "eps = 0", eps=0.0, size=1e-3, hint=both)


def attention(draw: Draw) -> Iterator[Case]:
    """Causal by place in the sequence, and with several heads."""
    hint = "A token attends to itself and to earlier tokens of x, whatever their positions are."
    yield _case(draw, "longer", "17 tokens, none sees a later one", seq=17, hint=hint)
    opening = _arguments(draw, seq=7)
    for name, seq, title in (
        ("whole", 7, "seven tokens"),
        ("opening", 4, "the first four of them alone: the same results"),
    ):
        arguments = opening | {"x": opening["x"][:, :seq].clone()}
        yield Case(name, title, Call("", BLOCK, arguments), growth=_growth(draw, opening), hint=hint)
    yield _case(draw, "backwards", "positions that count down", positions=torch.arange(6).flip(0), hint=hint)
    yield _case(draw, "one-token", "one token", seq=1)
    yield _case(draw, "many-heads", "8 heads of 2 features", heads=8, d_head=2)


def positions(draw: Draw) -> Iterator[Case]:
    """They reach the rotation of queries and keys, and nothing else."""
    hint = "token_positions are what RoPE rotates by: hand them on to your attention."
    yield _case(
        draw, "none", "token_positions=None", positions=None, hint="Without positions tokens count 0, 1, ..., seq-1."
    )
    yield _case(draw, "gaps", "positions with gaps", positions=draw.distinct(6, 40).sort().values, hint=hint)
    yield _case(draw, "any-order", "positions in any order", positions=draw.distinct(6, 40), hint=hint)
    yield _case(
        draw, "all-alike", "all positions 7: nothing turns against anything", positions=torch.full((6,), 7), hint=hint
    )
    rows = "Positions of shape (batch, seq) need an axis for the heads: (batch, 1, seq)."
    each = torch.stack([draw.distinct(6, 40) for _ in range(3)])
    yield _case(
        draw, "rows", "positions (batch, seq), as many sequences as heads", batch=(3,), positions=each, hint=rows
    )
    each = torch.stack([draw.distinct(6, 40) for _ in range(4)])
    yield _case(
        draw, "more-rows", "positions (batch, seq), more sequences than heads", batch=(4,), positions=each, hint=rows
    )
    each = each.reshape(2, 2, 6)
    yield _case(draw, "two-axes", "positions (batch1, batch2, seq)", batch=(2, 2), positions=each, hint=rows)
    yield _case(draw, "theta", "theta = 20", theta=20.0, positions=draw.distinct(6, 40))


def large(draw: Draw) -> Iterator[Case]:
    """Scores and gates of several hundred: exp of them has no number in float32."""
    for name, enlarged, title, hint in (
        (
            "scores",
            ("q_proj_weight", "k_proj_weight"),
            "scores of several hundred",
            "Subtract the row's maximum before exp.",
        ),
        (
            "gates",
            ("w1_weight",),
            "gates of several hundred",
            "The silu of -300 is 0, and so is its gradient: use sigmoid.",
        ),
    ):
        arguments = _arguments(draw)
        for weight in enlarged:
            arguments[weight] *= 120.0 if len(enlarged) == 1 else 11.0
        yield Case(name, title, Call("", BLOCK, arguments), growth=_growth(draw, arguments), hint=hint)
        yield _gradient_case(draw, f"{name}-gradient", f"gradient of x, {title}", ("x",), arguments, hint)


def gradients(draw: Draw) -> Iterator[Case]:
    """Of x, and of all weights, in values: a weight copied into a module gets none."""
    for name, of, title in (
        ("x", ("x",), "x"),
        ("norms", tuple(NORMS), "both norms' weights"),
        ("attention", tuple(ATTENTION), "the weights of the attention"),
        ("ffn", tuple(FFN), "the weights of the feed-forward network"),
    ):
        yield _gradient_case(draw, name, f"gradient of {title}", of, _arguments(draw))


def _gradient_case(draw: Draw, name: str, title: str, of: tuple[str, ...], arguments: dict, hint: str = "") -> Case:
    upstream = draw.normal(*arguments["x"].shape, dtype=arguments["x"].dtype)
    call = Call("", BLOCK, arguments, gradient=upstream, differentiate=of)
    # The backward pass goes through every step twice.
    growth, aspects = 4 * _growth(draw, arguments), frozenset({Aspect.GRADIENTS})
    return Case(name, title, call, growth, _largest_gradient(draw, call), aspects, hint=hint)


def _largest_gradient(draw: Draw, call: Call) -> float:
    """Of x or any weight: what the others may cancel from."""
    given = {name: value.double() if _is_floating(value) else value for name, value in call.arguments.items()}
    leaves = {name: given[name].clone().requires_grad_() for name in ("x", *NAMES)}
    weights = {key: leaves[name] for name, key in NAMES.items()}
    rest = {name: value for name, value in given.items() if name not in leaves and name not in HOW}
    output = draw.reference.transformer_block(leaves["x"], weights, **rest)
    found = torch.autograd.grad(output, list(leaves.values()), call.gradient.double())
    return max(gradient.abs().amax().item() for gradient in found)


HOW = ("way", "keys")  # arguments for the harness


def contract(draw: Draw) -> Iterator[Case]:
    """Nothing of the caller's changes, and nothing is remembered."""
    arguments = _arguments(draw, positions=draw.distinct(6, 30) + 1)
    call = Call("", BLOCK, arguments, return_arguments=True)
    hint = "A method that ends in an underscore, and +=, write into their tensor."
    yield Case("unchanged", "arguments do not change", call, aspects=frozenset({Aspect.ARGUMENTS}), hint=hint)
    kept = "The dictionary of weights is the caller's: read from it, and leave it as it is."
    told = "number of weights that the caller's dictionary still has"
    left = _case(draw, "dictionary", "the dictionary of weights after the call", {"way": "looked at after"}, hint=kept)
    yield replace(left, what=told)
    yield _case(draw, "other-theta", "the sizes of an earlier call with theta = 30", theta=30.0)
    by_position = {"token_positions": draw.distinct(6, 40), "max_seq_len": 40, "eps": 0.1}
    order = "Keep the parameters in the order of the spec."
    yield _case(
        draw, "by-position", "all arguments given by position", by_position | {"way": "by position"}, hint=order
    )
    yield from _rewritten(draw)


def _rewritten(draw: Draw) -> Iterator[Case]:
    """The very same tensors, with other values in them, as an optimiser and a loop over batches leave them."""
    stale = (
        "These are the tensors of the previous call with new values: keep nothing that was computed from the old ones."
    )
    for mode in (GradMode.DEFAULT, GradMode.NO_GRAD):
        told = "" if mode is GradMode.DEFAULT else ", under no_grad"
        first = _arguments(draw, positions=draw.distinct(6, 40)) | {"max_seq_len": 40}
        call = Call("", BLOCK, first, grad_mode=mode)
        yield Case(f"before-{mode}", f"a call that is followed by another{told}", call, growth=_growth(draw, first))
        later = _arguments(draw, positions=draw.distinct(6, 40)) | {"max_seq_len": 40}
        call = replace(call, arguments=later, reused=("x", "token_positions", *NAMES))
        title = f"new values in the tensors of the previous call{told}"
        yield Case(f"rewritten-{mode}", title, call, growth=_growth(draw, later), hint=stale)


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged: whether a library does the work, with and without a graph."""
    of = ("x", *NAMES)
    return [
        StructureCall(Call("", BLOCK, _arguments(draw))),
        StructureCall(Call("", BLOCK, _arguments(draw, heads=2), differentiate=of), 2, "training"),
        StructureCall(Call("", BLOCK, _arguments(draw, heads=2), grad_mode=GradMode.NO_GRAD), 2, "no-grad"),
        StructureCall(Call("", BLOCK, _arguments(draw, heads=2, seq=160)), 2, "many-tokens"),
    ]


def workload(draw: Draw, seq: int = 128) -> Call:
    """What is timed."""
    return Call("workload", BLOCK, _arguments(draw, heads=8, d_head=16, d_ff=344, batch=(4,), seq=seq))


FAMILIES = {
    "values": values,
    "paths": paths,
    "norms": norms,
    "attention": attention,
    "positions": positions,
    "large": large,
    "gradients": gradients,
    "contract": contract,
}
