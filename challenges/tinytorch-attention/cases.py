"""The case families of tinytorch-attention: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: batch, heads, sequence and head_dim differ unless a case says so.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.authoring import Call, Case, Draw, StructureCall

ATTENTION = "scaled_dot_product_attention"
MHA = "MultiHeadAttention"
PARTS = [f"{name}_proj_{part}" for name in ("q", "k", "v", "out") for part in ("weight", "bias")]
# Scaling, masking, exp, sum and division: one rounding each, whatever the sizes.
ELEMENTWISE = 8
LEFT_OUT = "left out"
ALLOWED = "The mask is 1.0 where a query may attend and 0.0 where it may not."


def _qkv(draw: Draw, *shape: int, gain: float = 1.5) -> dict:
    return {"Q": gain * draw.normal(*shape), "K": gain * draw.normal(*shape), "V": draw.normal(*shape)}


def _attention_growth(arguments: dict) -> float:
    """How many roundings a right answer may be off by: docs/tolerance.md derives it."""
    Q, K = arguments["Q"].double(), arguments["K"].double()
    logits = (Q.norm(dim=-1).amax() * K.norm(dim=-1).amax()).item() / math.sqrt(Q.shape[-1])
    return ELEMENTWISE + math.sqrt(K.shape[-2]) + logits * (2 + math.sqrt(Q.shape[-1]))


def _attention_case(name: str, title: str, arguments: dict, hint: str = "") -> Case:
    return Case(name, title, Call("", ATTENTION, arguments), growth=_attention_growth(arguments), hint=hint)


def _arguments(
    draw: Draw,
    *,
    batch: int = 2,
    seq: int = 7,
    heads: int = 4,
    head_dim: int = 6,
    mask: Tensor | str | None = LEFT_OUT,
    gain: float = 1.0,
    **more: object,
) -> dict:
    """Arguments of the harness. `gain` enlarges the weights of queries and keys."""
    given = {} if mask is LEFT_OUT else {"mask": mask}
    width = heads * head_dim
    parts = {
        name: draw.normal(width, width) / math.sqrt(width) if name.endswith("weight") else 0.5 * draw.normal(width)
        for name in PARTS
    }
    parts["q_proj_weight"] *= 1.5 * gain
    parts["k_proj_weight"] *= 1.5 * gain
    x = draw.normal(batch, seq, width)
    return {"embed_dim": width, "num_heads": heads, **parts, "x": x, **given, **more}


def _growth(arguments: dict) -> float:
    x, heads = arguments["x"].double(), arguments["num_heads"]
    Q, K = (
        (x @ arguments[f"{name}_proj_weight"].double() + arguments[f"{name}_proj_bias"].double()).unflatten(
            -1, (heads, -1)
        )
        for name in ("q", "k")
    )
    logits = (Q.norm(dim=-1).amax() * K.norm(dim=-1).amax()).item() / math.sqrt(Q.shape[-1])
    features, head_dim, seq = math.sqrt(x.shape[-1]), math.sqrt(Q.shape[-1]), math.sqrt(x.shape[-2])
    # |logits| is bounded by |q||k|; the logits met are about a third of that bound.
    return ELEMENTWISE + seq + 2 * features + logits * (2 * features + head_dim) / 3


def _case(draw: Draw, name: str, title: str, *, hint: str = "", **sizes: object) -> Case:
    arguments = _arguments(draw, **sizes)
    return Case(name, title, Call("", MHA, arguments), growth=_growth(arguments), hint=hint)


def _mask(draw: Draw, *lead: int, seq: int) -> Tensor:
    """Zeros and ones; every query may attend to itself, so that no row is empty."""
    return ((draw.normal(*lead, seq, seq) > 0) | torch.eye(seq, dtype=torch.bool)).float()


def _causal(*lead: int, seq: int) -> Tensor:
    return torch.ones(*lead, seq, seq).tril()


def attention(draw: Draw) -> Iterator[Case]:
    """Alone: scores, scale, softmax over the keys, and both results."""
    eye = torch.eye(2)[None]
    yield _attention_case("example", "the example in the exercise", {"Q": eye, "K": eye, "V": eye})
    sums = (
        "Each row of the weights belongs to a query, and adds up to 1: the softmax runs over the keys, the last axis."
    )
    for name, title, shape in (
        ("three-axes", "attention of (batch, seq, d)", (2, 5, 8)),
        ("wide", "a width larger than the sequence is long", (3, 4, 32)),
        ("long", "more tokens than features", (2, 19, 4)),
    ):
        yield _attention_case(name, title, _qkv(draw, *shape), hint=sums)


def masks(draw: Draw) -> Iterator[Case]:
    """1.0 lets through, 0.0 hides, and hides wholly: what is hidden gets a weight of zero."""
    for name, title, shape, mask in (
        ("each", "a mask for each sequence", (3, 5, 8), _mask(draw, 3, seq=5)),
        ("padding", "the last tokens hidden from all queries", (2, 6, 4), _padding(draw, 2, 6)),
        ("one-for-all", "a mask of shape (1, seq, seq)", (3, 6, 5), _mask(draw, 1, seq=6)),
        ("no-batch", "a mask of shape (seq, seq)", (2, 5, 6), _mask(draw, seq=5)),
    ):
        yield _attention_case(name, title, _qkv(draw, *shape) | {"mask": mask}, hint=ALLOWED)


def _padding(draw: Draw, batch: int, seq: int) -> Tensor:
    """Each sequence ends somewhere; the columns behind its end are hidden, from every query."""
    lengths = torch.tensor([draw.integer(2, seq - 1) for _ in range(batch)])
    return (torch.arange(seq) < lengths[:, None, None]).float().expand(batch, seq, seq).clone()


def heads(draw: Draw) -> Iterator[Case]:
    """Several heads show whether they are split, attended and merged rightly."""
    for count, head_dim, batch, seq in ((2, 8, 3, 6), (4, 6, 2, 7)):
        yield _case(
            draw, str(count), f"{count} heads of width {head_dim}", heads=count, head_dim=head_dim, batch=batch, seq=seq
        )


def one_head(draw: Draw) -> Iterator[Case]:
    """With one head there is nothing to split: projections, attention, projection. The place to look first."""
    yield _case(draw, "plain", "one head", heads=1, head_dim=10, batch=3, seq=6)
    identity = _arguments(draw, heads=1, head_dim=4, batch=2, seq=5)
    for name in PARTS:
        identity[name] = torch.eye(4) if name.endswith("weight") else torch.zeros(4)
    title = "one head with identity projections: the result is scaled_dot_product_attention(x, x, x)"
    yield Case("identity", title, Call("", MHA, identity), growth=_growth(identity))


def sizes(draw: Draw) -> Iterator[Case]:
    """Larger ones than combinations have."""
    yield _case(draw, "longer", "67 tokens, 64 features", heads=4, head_dim=16, seq=67)
    yield _case(draw, "wide-heads", "2 heads of width 64", heads=2, head_dim=64, seq=5)
    yield _case(draw, "many-sequences", "a batch of 37", batch=37, seq=3)
    many = draw.integer(150, 250)
    yield _case(draw, "many-tokens", f"{many} tokens, causal", heads=2, seq=many, mask=_causal(2, seq=many))


def head_masks(draw: Draw) -> Iterator[Case]:
    """A mask (batch, seq, seq) needs an axis for the heads: all heads of a sequence share its mask."""
    hint = "Scores have the shape (batch, heads, seq, seq): a mask needs an axis of size 1 where the heads are."
    for name, title, batch, count in (
        ("other-than-heads", "a mask for each sequence; fewer sequences than heads", 3, 4),
        ("same-as-heads", "a mask for each sequence; as many sequences as heads", 4, 4),
    ):
        yield _case(draw, name, title, batch=batch, heads=count, seq=6, mask=_mask(draw, batch, seq=6), hint=hint)
    yield _case(
        draw,
        "padding",
        "the last tokens hidden from all queries",
        batch=2,
        seq=6,
        mask=_padding(draw, 2, 6),
        hint=ALLOWED,
    )


def causal(draw: Draw) -> Iterator[Case]:
    """The lower triangle: a token sees itself and what came before, and only when the mask says so."""
    hint = "Row i of the causal mask has ones up to and including column i. " + ALLOWED
    eye = {"Q": torch.eye(2)[None], "K": torch.eye(2)[None], "V": torch.eye(2)[None], "mask": _causal(1, seq=2)}
    yield _attention_case("example", "the example in the exercise, with a causal mask", eye, hint=hint)
    yield _attention_case(
        "attention", "attention, causal", _qkv(draw, 2, 6, 8) | {"mask": _causal(2, seq=6)}, hint=hint
    )
    yield _case(draw, "heads", "four heads, causal", batch=3, seq=6, mask=_causal(3, seq=6), hint=hint)
    yield _case(
        draw,
        "no-mask",
        "no mask: the first token sees the last one",
        batch=3,
        seq=6,
        hint="Without a mask, every token sees every token.",
    )


def other_shapes(draw: Draw) -> Iterator[Case]:
    """Broadcasting gives these for nothing; the text does not promise them, so they cost nothing but these points."""
    yield _attention_case("four-axes", "attention of (batch, heads, seq, d)", _qkv(draw, 2, 3, 5, 4))
    broadcast = _qkv(draw, 2, 3, 5, 4) | {"mask": _mask(draw, 2, 1, seq=5)}
    yield _attention_case("four-axes-mask", "the same with a mask (batch, 1, seq, seq)", broadcast, hint=ALLOWED)
    yield _case(
        draw,
        "one-for-all",
        "a mask of shape (1, seq, seq) for several heads",
        batch=3,
        seq=6,
        mask=_mask(draw, 1, seq=6),
    )
    yield _case(
        draw, "no-batch", "a mask of shape (seq, seq) for several heads", batch=3, seq=5, mask=_mask(draw, seq=5)
    )


def attributes(draw: Draw) -> Iterator[Case]:
    """What other code reads from the layer: sizes, and the parameters that an optimizer is given."""
    for name, count, head_dim in (("sizes", 4, 6), ("sizes-of-one-head", 1, 10)):
        arguments = _arguments(draw, heads=count, head_dim=head_dim, look_at="sizes")
        hint = "The three numbers are embed_dim, num_heads and head_dim."
        yield Case(
            name,
            f"the attributes embed_dim, num_heads and head_dim ({count} heads)",
            Call("", MHA, arguments),
            hint=hint,
        )
    title = "the three sizes, after another layer with different sizes was created"
    arguments = _arguments(draw, look_at="sizes beside another")
    yield Case("sizes-beside-another", title, Call("", MHA, arguments), hint="Keep them on self, not on the class.")
    hint = (
        "The numbers count how often the list contains each weight and bias of q_proj, k_proj, v_proj and out_proj, in this order, "
        "and finally how many other things it contains; they should be eight ones and a zero."
    )
    for name, when in (
        ("parameters", ""),
        ("parameters again", ", even after it was called before"),
        ("parameters of equal numbers", ", even if some hold equal numbers"),
    ):
        call = Call("", MHA, _arguments(draw, look_at=name))
        yield Case(name.replace(" ", "-"), f"parameters() lists each weight and bias once{when}", call, hint=hint)
    for name, width, count in (
        ("indivisible", 16, 3),
        ("indivisible-by-heads-alone", 16, 6),
        ("more-heads-than-features", 4, 8),
    ):
        bad = _arguments(draw, heads=4, head_dim=width // 4, look_at="sizes") | {"num_heads": count}
        title = f"embed_dim={width} with num_heads={count} is rejected"
        hint = "Check embed_dim % num_heads in __init__, before you create anything else."
        yield Case(name, title, Call("", MHA, bad), raises=("ValueError", "AssertionError"), hint=hint)


def structure(draw: Draw) -> list[StructureCall]:
    """Calls that are watched, not judged: some numbers of heads of the same width, without and with a mask and
    with many tokens, some of them odd; numbers that nobody fills up with idle rounds; then attention alone.
    """
    even, odd, many = draw.few_and_more(odd=False), draw.few_and_more(odd=True), draw.integer(120, 180)
    sizes = {"head_dim": 4, "seq": 5, "batch": 2}
    calls = [StructureCall(Call("", MHA, _arguments(draw, heads=n, **sizes)), n) for n in (1, *even, 16)]
    for n in odd:
        masked = _arguments(draw, heads=n, mask=_mask(draw, 2, seq=5), **sizes)
        calls.append(StructureCall(Call("", MHA, masked), n, "masked"))
    for n in draw.choice((odd, even)):  # with little else: a graph keeps every intermediate Tensor
        longer = _arguments(draw, heads=n, **sizes | {"seq": many, "batch": 1})
        calls.append(StructureCall(Call("", MHA, longer), n, "many-tokens"))
    for n in draw.many_and_more(odd=draw.choice((False, True))):
        arguments = _arguments(draw, heads=n, head_dim=2, seq=3, batch=1)
        calls.append(StructureCall(Call("", MHA, arguments), n, "many-heads"))
    return [*calls, StructureCall(Call("", ATTENTION, _qkv(draw, 2, 5, 8)))]


def workload(draw: Draw, seq: int = 128) -> Call:
    """What is timed: large enough that arithmetic outweighs Python, small enough for a second."""
    return Call("workload", MHA, _arguments(draw, heads=8, head_dim=16, batch=4, seq=seq))


FAMILIES = {
    "attention": attention,
    "masks": masks,
    "heads": heads,
    "one-head": one_head,
    "sizes": sizes,
    "head-masks": head_masks,
    "causal": causal,
    "other-shapes": other_shapes,
    "attributes": attributes,
}
