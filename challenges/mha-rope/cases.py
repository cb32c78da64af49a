"""The case families of mha-rope: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: batch, heads, sequence and d_head differ, theta is not 10,000.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, GradMode, StructureCall

MHA = "multihead_self_attention_with_rope"
WEIGHTS = ("q_proj_weight", "k_proj_weight", "v_proj_weight", "o_proj_weight")
QKV = ("Q", "K", "V")
LEFT_OUT = "left out"
# Whatever the sizes: cosine, sine, product and sum in the rotation of queries, and of keys; scale, shift, exp, division.
ELEMENTWISE = 12


def _arguments(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (2,),
    seq: int = 7,
    heads: int = 4,
    d_head: int = 6,
    theta: float = 500.0,
    spare: int = 9,
    positions: Tensor | str | None = "count",
    gain: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> dict:
    """Arguments in the contract's order. `spare` is how much max_seq_len exceeds what is needed; `gain` enlarges
    W_Q and W_K.
    """
    d_model = heads * d_head
    if isinstance(positions, str):
        positions = torch.arange(seq) if positions == "count" else positions
    highest = int(positions.max()) + 1 if isinstance(positions, Tensor) else seq
    weights = {name: draw.normal(d_model, d_model, dtype=dtype) / math.sqrt(d_model) for name in WEIGHTS}
    weights["q_proj_weight"] *= 1.5 * gain
    weights["k_proj_weight"] *= 1.5 * gain
    arguments = {
        "d_model": d_model,
        "num_heads": heads,
        "max_seq_len": max(seq, highest) + spare,
        "theta": theta,
        **weights,
        "in_features": draw.normal(*batch, seq, d_model, dtype=dtype),
    }
    return arguments if positions is LEFT_OUT else arguments | {"token_positions": positions}


def _growth(draw: Draw, arguments: dict) -> float:
    """How many roundings a right answer may be off by: docs/tolerance.md derives it."""
    reference = draw.reference
    x, heads = arguments["in_features"].double(), arguments["num_heads"]
    weights = [arguments[name].double() for name in WEIGHTS[:2]]
    Q, K = (reference.split_heads(reference.project(x, weight), heads) for weight in weights)
    logits = reference.scale(Q.norm(dim=-1).amax() * K.norm(dim=-1).amax(), Q.shape[-1]).item()
    positions = arguments.get("token_positions")
    farthest = x.shape[-2] if positions is None else int(positions.max())
    features, d_head, seq = math.sqrt(x.shape[-1]), math.sqrt(Q.shape[-1]), math.sqrt(x.shape[-2])
    # |logits| is bounded by |q||k|; the logits met are about a third of that bound.
    return ELEMENTWISE + seq + 2 * features + logits * (2 * features + d_head + farthest) / 3


def _case(draw: Draw, name: str, title: str, *, hint: str = "", **sizes: object) -> Case:
    arguments = _arguments(draw, **sizes)
    return Case(name, title, Call("", MHA, arguments), growth=_growth(draw, arguments), hint=hint)


def heads(draw: Draw) -> Iterator[Case]:
    """One head is plain attention; several show whether they are split, batched and merged rightly."""
    example = {"d_model": 2, "num_heads": 1, "max_seq_len": 4, "theta": 10_000.0}
    example |= dict.fromkeys(WEIGHTS, torch.eye(2)) | {"in_features": torch.eye(2)[None]}
    yield Case("example", "the example in the exercise", Call("", MHA, example), growth=_growth(draw, example))
    for count, d_head in ((1, 8), (4, 6), (8, 4), (16, 4)):
        yield _case(
            draw, str(count), f"{count} head{'s' if count > 1 else ''}", heads=count, d_head=d_head, batch=(3,), seq=6
        )
    arguments = _arguments(draw, heads=3, seq=5)
    title = "heads reordered, with W_O's columns reordered to match: the same output"
    for name, permuted in (("in-order", arguments), ("in-another-order", _with_heads_permuted(draw, arguments))):
        yield Case(name, title, Call("", MHA, permuted), growth=_growth(draw, arguments))
    yield _case(draw, "wide", "2 heads of 64 features, as in a model", heads=2, d_head=64, seq=5)


def _with_heads_permuted(draw: Draw, arguments: dict) -> dict:
    heads, d_model = arguments["num_heads"], arguments["d_model"]
    order = torch.arange(d_model).reshape(heads, -1)[draw.distinct(heads, heads)].flatten()
    rows = {name: arguments[name][order] for name in WEIGHTS[:3]}
    return arguments | rows | {"o_proj_weight": arguments["o_proj_weight"][:, order]}


def batch(draw: Draw) -> Iterator[Case]:
    """Any number of leading axes: code that counts axes from the front breaks here."""
    yield _case(draw, "one", "one batch axis: (3, seq, d_model)", batch=(3,), seq=5)
    yield _case(draw, "single", "a batch of one", batch=(1,), seq=5)
    hint = "Count axes from the end: transpose(-3, -2)."
    yield _case(draw, "none", "no batch axis: (seq, d_model)", batch=(), seq=5, hint=hint)
    yield _case(draw, "two", "two batch axes: (2, 3, seq, d_model)", batch=(2, 3), seq=5, hint=hint)
    yield _case(draw, "one-token", "a sequence of one token", batch=(2,), seq=1)
    yield _case(draw, "square", "as many tokens as heads", batch=(3,), seq=4, heads=4)
    together = _arguments(draw, batch=(3,), seq=6)
    alone = together | {"in_features": together["in_features"][1:2]}
    title = "a sequence gives the same result alone and in a batch"
    for name, arguments in (("among-others", together), ("alone", alone)):
        yield Case(name, title, Call("", MHA, arguments), growth=_growth(draw, together))
    yield _case(draw, "many", "a batch of 37", batch=(37,), seq=3)
    yield _case(draw, "three", "three batch axes: (2, 1, 3, seq, d_model)", batch=(2, 1, 3), seq=5, hint=hint)


def positions(draw: Draw) -> Iterator[Case]:
    """Positions are angles' factors, not indices into the sequence: left out, None, shifted, gapped, permuted, far."""
    seq = draw.integer(5, 8)
    left_out = "When token_positions is left out or None, positions are 0, 1, ..., seq-1."
    yield _case(draw, "left-out", "token_positions left out", positions=LEFT_OUT, seq=seq, hint=left_out)
    yield _case(draw, "none", "token_positions=None", positions=None, seq=seq, hint=left_out)
    yield _case(draw, "left-out-unbatched", "token_positions left out, no batch", batch=(), positions=LEFT_OUT, seq=seq)
    offset = draw.integer(3, 20)
    near = _arguments(draw, positions=torch.arange(seq) + offset, seq=seq)
    yield Case("offset", f"positions from {offset}", Call("", MHA, near), growth=_growth(draw, near))
    far = near | {"token_positions": near["token_positions"] + 150, "max_seq_len": near["max_seq_len"] + 150}
    title = "the same input with all positions 150 later: the same output"
    yield Case("shifted", title, Call("", MHA, far), growth=_growth(draw, far))
    gaps = draw.distinct(seq, 40).sort().values
    yield _case(draw, "gaps", "positions with gaps", positions=gaps, seq=seq)
    yield _case(draw, "permuted", "positions in any order", positions=draw.distinct(seq, 23), seq=seq)
    yield _case(draw, "one-row", "positions of shape (1, seq)", positions=draw.distinct(seq, 19)[None], seq=seq)
    yield _case(draw, "full-length", "seq equal to max_seq_len", positions=None, seq=seq, spare=0)
    last = draw.distinct(seq, 400) + 100
    yield _case(draw, "far", "the largest position is max_seq_len - 1", positions=last, seq=seq, spare=0)
    thousands = draw.distinct(seq, 1900) + 4100
    yield _case(draw, "farther", "positions of several thousand", positions=thousands, seq=seq)
    row = draw.distinct(seq, 19)[None]
    yield _case(
        draw, "one-row-two-axes", "positions of shape (1, seq), two batch axes", batch=(2, 3), positions=row, seq=seq
    )
    yield _case(draw, "reordered", "positions 0 to seq-1 in another order", positions=draw.distinct(seq, seq), seq=seq)
    nowhere = torch.zeros(seq, dtype=torch.long)
    yield _case(draw, "all-zero", "all positions 0: nothing rotates", positions=nowhere, seq=seq)


def batched_positions(draw: Draw) -> Iterator[Case]:
    """Every sequence of the batch has positions of its own; they need an axis for the heads."""
    room = "Positions of shape (batch, seq) need an axis for the heads: (batch, 1, seq)."
    rows_of = "token_positions[:seq] cuts the batch: the tokens are on the last axis."
    for name, shape, head_count, title, hint in (
        ("other-than-heads", (3,), 4, "positions (batch, seq), batch and heads differ", room),
        ("same-as-heads", (4,), 4, "positions (batch, seq), batch equals heads", room),
        ("two-axes", (2, 3), 4, "positions (batch1, batch2, seq)", room),
        ("many-sequences", (8,), 3, "positions (batch, seq), more sequences than tokens", rows_of),
        ("as-many-as-tokens", (6,), 4, "positions (batch, seq), as many sequences as tokens", ""),
    ):
        rows = math.prod(shape)
        each = torch.stack([draw.distinct(6, 31) for _ in range(rows)]).reshape(*shape, 6)
        yield _case(draw, name, title, batch=shape, seq=6, heads=head_count, positions=each, hint=hint)
    each = draw.distinct(3, 31)[:, None]
    yield _case(draw, "one-token", "positions (batch, seq) of one token each", batch=(3,), seq=1, positions=each)


def theta(draw: Draw) -> Iterator[Case]:
    """The base of the frequencies is an argument: the usual 10,000 hides a constant, a whole number one made whole."""
    for base in (37.5, 500_000.0, 10_000.0):
        name, title = f"{int(base)}", f"theta = {base:,g}"
        yield _case(draw, name, title, theta=base, d_head=8, positions=draw.distinct(7, 60))


def accuracy(draw: Draw) -> Iterator[Case]:
    """Numbers that are harder: large logits, the smallest head, longer sums, other dtypes and layouts. 67 is no
    multiple of any block.
    """
    overflow = "exp of a large score overflows: subtract the row's maximum first."
    yield _case(draw, "large-logits", "scores of several hundred", gain=4.0, hint=overflow)
    yield _case(draw, "smallest-head", "d_head = 2", d_head=2, heads=3, seq=6)
    yield _case(draw, "longer", "67 tokens, 128 features", batch=(2,), seq=67, heads=8, d_head=16)
    yield _case(draw, "float64", "float64 in, float64 out", dtype=torch.float64)
    arguments = _arguments(draw, batch=(3,))
    strided = ("in_features", *WEIGHTS)
    yield Case(
        "non-contiguous",
        "inputs that are not contiguous",
        Call("", MHA, arguments, strided=strided),
        growth=_growth(draw, arguments),
        hint="This input is not contiguous: `view` rejects it, `reshape` does not.",
    )
    arguments = _arguments(draw, batch=(3,))
    arguments["in_features"] = arguments["in_features"][:1].repeat(3, 1, 1)
    yield Case(
        "expanded",
        "a batch that repeats one sequence with expand()",
        Call("", MHA, arguments, expanded=("in_features",)),
        growth=_growth(draw, arguments),
        hint="The three rows share memory: use `reshape` instead of `view`, and do not write into the input.",
    )
    many = draw.integer(150, 250)
    yield _case(draw, "many-tokens", f"{many} tokens", seq=many, d_head=8)


def full_attention(draw: Draw) -> Iterator[Case]:
    """The first token sees the last: no causal mask in this exercise."""
    hint = "Every token attends to every token here, including the later ones."
    yield _case(draw, "first-sees-last", "every token attends to every token", seq=9, hint=hint)


def input_gradient(draw: Draw) -> Iterator[Case]:
    """Training needs the gradient of the input, in values, not only in existence."""
    for name, shape in (("batched", (2,)), ("unbatched", ())):
        yield _gradient_case(draw, name, f"gradient of in_features, {name}", ("in_features",), shape)
    title = "gradient of in_features, positions (batch1, batch2, seq), in float64"
    yield _gradient_case(draw, "two-axes", title, ("in_features",), (2, 3), torch.float64)


def weight_gradients(draw: Draw) -> Iterator[Case]:
    """A weight copied into a module gets no gradient: the usual slip of a class pasted behind a function."""
    for weight in WEIGHTS:
        yield _gradient_case(draw, weight.partition("_")[0], f"gradient of {weight}", (weight,), (2,))
    title = "gradients of all weights, positions (batch1, batch2, seq), in float64"
    yield _gradient_case(draw, "two-axes", title, WEIGHTS, (2, 3), torch.float64)


def _gradient_case(
    draw: Draw, name: str, title: str, of: tuple[str, ...], shape: tuple[int, ...], dtype: torch.dtype = torch.float32
) -> Case:
    rows = draw.distinct(math.prod(shape) * 7, 60).reshape(*shape, 7) if len(shape) > 1 else torch.arange(7)
    arguments = _arguments(draw, batch=shape, positions=rows, dtype=dtype)
    upstream = draw.normal(*arguments["in_features"].shape, dtype=dtype)
    call = Call("", MHA, arguments, gradient=upstream, differentiate=of)
    return Case(name, title, call, growth=4 * _growth(draw, arguments), aspects=frozenset({Aspect.GRADIENTS}))


def structure(draw: Draw) -> list[StructureCall]:
    """Calls that are watched, not judged: some numbers of heads of the same width, two of which nobody can know; these
    two in calls that are another kind in every way, and in calls without a graph, for a loop or another attention could
    hide in any of them; numbers that nobody fills up with idle rounds; then each part alone.
    """
    sizes = {"batch": (draw.integer(2, 4),), "seq": draw.integer(5, 9), "d_head": draw.choice((4, 6, 8))}
    even, odd, many = draw.few_and_more(odd=False), draw.few_and_more(odd=True), draw.integer(150, 250)
    somewhere = {GradMode.NO_GRAD: draw.distinct(sizes["seq"], 30)[None], GradMode.INFERENCE: None}
    calls = []
    for n in (1, *even, 16):
        calls.append(StructureCall(Call("", MHA, _arguments(draw, heads=n, **sizes)), n))
    for n in odd:
        arguments = _arguments(draw, heads=n, **sizes | {"batch": (), "positions": LEFT_OUT, "dtype": torch.float64})
        of = ("in_features", *WEIGHTS)
        calls.append(StructureCall(Call("", MHA, arguments, differentiate=of), n, "training"))
    for n in draw.choice((odd, even)):
        arguments = _arguments(draw, heads=n, **sizes | {"seq": many})
        calls.append(StructureCall(Call("", MHA, arguments), n, "many-tokens"))
        for mode, positions in somewhere.items():
            arguments = _arguments(draw, heads=n, **sizes | {"positions": positions})
            calls.append(StructureCall(Call("", MHA, arguments, grad_mode=mode), n, mode))
    for kind, batch in (("many-heads", ()), ("many-heads-batched", (1,))):
        for n in draw.many_and_more(odd=draw.choice((False, True))):
            arguments = _arguments(draw, heads=n, **sizes | {"batch": batch, "seq": 3, "d_head": 2})
            calls.append(StructureCall(Call("", MHA, arguments), n, kind))
    calls.append(StructureCall(Call("", "rope", _rope_arguments(draw, (2, 5, 8), torch.arange(5)))))
    q = _qkv(draw, (2, 5, 8))
    calls.append(StructureCall(Call("", "scaled_dot_product_attention", q)))
    return calls


def workload(draw: Draw, seq: int = 128) -> Call:
    """What is timed: large enough that arithmetic outweighs Python, small enough for a second."""
    return Call("workload", MHA, _arguments(draw, heads=8, d_head=16, batch=(4,), seq=seq, theta=10_000.0))


FAMILIES = {
    "heads": heads,
    "batch": batch,
    "positions": positions,
    "batched-positions": batched_positions,
    "theta": theta,
    "full-attention": full_attention,
    "accuracy": accuracy,
    "input-gradient": input_gradient,
    "weight-gradients": weight_gradients,
}
