"""The case families of transformer-block: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: batch, seq, heads, d_head and d_ff differ, and the norms' weights too.
Each weight is an argument of its own, so that gradients can be asked for: sandbox/harness.py puts them together.
"""

import math
from collections.abc import Iterator

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
    of the largest terms where sums cancel. A name with `sizes` is what a sum gives of the sizes of all its terms.
    """
    reference, heads, eps = draw.reference, arguments["num_heads"], arguments.get("eps", DEFAULT)
    given = {name: value.double() if _is_floating(value) else value for name, value in arguments.items()}
    x, sizes_of = given["x"], {name: given[name].abs() for name in (*ATTENTION, *FFN)}
    positions = reference.resolve_positions(given.get("token_positions"), x)

    z = reference.rms_norm(x, given["attn_norm_weight"], eps)
    Q, K, V = (reference.split_heads(reference.project(z, given[f"{role}_proj_weight"]), heads) for role in "qkv")
    sizes = [reference.split_heads(z.abs() @ sizes_of[f"{role}_proj_weight"].mT, heads) for role in "qkv"]
    Q, K, V = reference.encode_positions(Q, K, V, positions, arguments["theta"])
    shares = reference.softmax(reference.hide_later(reference.compare(Q, K)))
    h = x + reference.project(reference.merge_heads(shares @ V), given["o_proj_weight"])
    h_sizes = x.abs() + reference.merge_heads(shares @ sizes[2]) @ sizes_of["o_proj_weight"].mT

    z = reference.rms_norm(h, given["ffn_norm_weight"], eps)
    gate, passed = (reference.project(z, given[name]) for name in ("w1_weight", "w3_weight"))
    gate_sizes, passed_sizes = (z.abs() @ sizes_of[name].mT for name in ("w1_weight", "w3_weight"))
    hidden_sizes = gate_sizes * passed.abs() + reference.silu(gate).abs() * passed_sizes
    output = h + reference.project(reference.gated(gate, passed), given["w2_weight"])
    output_sizes = h_sizes + hidden_sizes @ sizes_of["w2_weight"].mT

    # The second norm divides by the size of h: where terms cancel in a token, their roundings are large beside it.
    before_norm = (_size(h_sizes, eps) / _size(h, eps)).amax().item()
    cancelled = max(1.0, before_norm, (output_sizes.amax() / output.abs().amax()).item())
    logits = (sizes[0].norm(dim=-1).amax() * sizes[1].norm(dim=-1).amax() / math.sqrt(Q.shape[-1])).item()
    features, width, farthest = math.sqrt(x.shape[-1]), math.sqrt(Q.shape[-1]), int(positions.max())
    # |logits| is bounded by |q||k|; the logits met are about a third of that bound.
    sums = math.sqrt(x.shape[-2]) + 5 * features + math.sqrt(gate.shape[-1])
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
    yield Case("example", "the example in the exercise", Call("", BLOCK, _example()), growth=_growth(draw, _example()))
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
    zeros = "Positions of zeros are positions like any others: only None means that none are given."
    yield _case(draw, "all-zero", "all positions 0", positions=torch.zeros(6, dtype=torch.int64), hint=zeros)
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
    growth, scale = _growth_of_gradients(draw, call)
    return Case(name, title, call, growth, scale, frozenset({Aspect.GRADIENTS}), hint=hint)


def _growth_of_gradients(draw: Draw, call: Call) -> tuple[float, float]:
    """How many roundings, and of what: the largest gradient of x or any weight, from which the others may cancel. The
    backward pass goes through every step twice; where it divides by what has cancelled, one rounding of the arguments
    becomes many, and each step may make one.
    """
    step, exact = 1e-7, _gradients(draw, call, 0.0)
    scale = max(gradient.abs().amax().item() for gradient in exact)
    pairs = zip(exact, _gradients(draw, call, step), strict=True)
    becomes = max((one - other).abs().amax().item() for one, other in pairs) / (step * scale)
    return max(4 * _growth(draw, call.arguments), ELEMENTWISE * becomes), scale


def _gradients(draw: Draw, call: Call, step: float) -> tuple[Tensor, ...]:
    """Of x and all weights, where each of their numbers is off by about such a share of itself."""
    source = draw.apart("off")
    given = {name: value.double() if _is_floating(value) else value for name, value in call.arguments.items()}
    leaves = {name: given[name] * (1 + step * source.normal(*given[name].shape)) for name in ("x", *NAMES)}
    leaves = {name: leaf.requires_grad_() for name, leaf in leaves.items()}
    weights = {key: leaves[name] for name, key in NAMES.items()}
    rest = {name: value for name, value in given.items() if name not in leaves and name not in HOW}
    output = draw.reference.transformer_block(leaves["x"], weights, **rest)
    return torch.autograd.grad(output, list(leaves.values()), call.gradient.double())


HOW = ("way", "keys")  # arguments for the harness


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
}
