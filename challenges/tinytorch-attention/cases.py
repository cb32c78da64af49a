"""The case families of tinytorch-attention: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: batch, heads, sequence and head_dim differ unless a case says so.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, Flaw, Hint, StructureCall

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
    yield _attention_case("example", "the example of the spec", {"Q": eye, "K": eye, "V": eye})
    sums = (
        "Each row of the weights belongs to a query, and adds up to 1: the softmax runs over the keys, the last axis."
    )
    for name, title, shape in (
        ("three-axes", "attention of (batch, seq, d_k)", (2, 5, 8)),
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
    yield _attention_case("example", "the example of the spec, with a causal mask", eye, hint=hint)
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
    yield _attention_case("four-axes", "attention of (batch, heads, seq, d_k)", _qkv(draw, 2, 3, 5, 4))
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
        "The numbers count how often the list contains the weight and bias of q_proj, k_proj, v_proj and out_proj, in this order, "
        "and finally how much else it contains: eight ones and a zero."
    )
    for name, when in (
        ("parameters", ""),
        ("parameters again", ", also after other calls of it"),
        ("parameters of equal numbers", ", also where they hold equal numbers"),
    ):
        call = Call("", MHA, _arguments(draw, look_at=name))
        yield Case(name.replace(" ", "-"), f"parameters() lists each weight and bias once{when}", call, hint=hint)
    for name, width, count in (
        ("indivisible", 16, 3),
        ("indivisible-by-heads-alone", 16, 6),
        ("more-heads-than-features", 4, 8),
    ):
        bad = _arguments(draw, heads=4, head_dim=width // 4, look_at="sizes") | {"num_heads": count}
        title = f"embed_dim={width} with num_heads={count} is refused"
        hint = "Check embed_dim % num_heads in __init__, before you create anything else."
        yield Case(name, title, Call("", MHA, bad), raises=("ValueError", "AssertionError"), hint=hint)


def attention_gradients(draw: Draw) -> Iterator[Case]:
    """Numbers that leave the graph through .data come back without a history: the values are right, nothing learns."""
    for of in ("Q", "K", "V"):
        arguments = _qkv(draw, 2, 5, 6)
        yield _gradient_case(
            draw, of, f"gradient of {of}", Call("", ATTENTION, arguments), _attention_growth(arguments), (of,)
        )
    arguments = _qkv(draw, 2, 6, 5) | {"mask": _mask(draw, 2, seq=6)}
    title = "gradients of Q, K and V with a mask"
    yield _gradient_case(
        draw, "masked", title, Call("", ATTENTION, arguments), _attention_growth(arguments), ("Q", "K", "V")
    )


def gradients(draw: Draw) -> Iterator[Case]:
    """Of the input and of what is learned. The bias of the keys is left out: it shifts all scores of a query alike, so
    its gradient is zero in any right answer."""
    for name, of, mask in (
        ("input", ("x",), LEFT_OUT),
        ("input-masked", ("x",), _mask(draw, 2, seq=7)),
        ("queries", ("q_proj_weight", "q_proj_bias"), LEFT_OUT),
        ("keys", ("k_proj_weight",), LEFT_OUT),
        ("values", ("v_proj_weight", "v_proj_bias"), LEFT_OUT),
        ("output", ("out_proj_weight", "out_proj_bias"), LEFT_OUT),
        ("causal", ("q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj_weight"), _causal(2, seq=7)),
    ):
        arguments = _arguments(draw, mask=mask)
        title = f"gradient of {' and '.join(part.replace('proj_', 'proj.') for part in of)}{'' if mask is LEFT_OUT else ', masked'}"
        yield _gradient_case(draw, name, title, Call("", MHA, arguments), _growth(arguments), of)


def _gradient_case(draw: Draw, name: str, title: str, call: Call, growth: float, of: tuple[str, ...]) -> Case:
    """A gradient passes through every step twice, and sums over the batch: four times the roundings."""
    like = call.arguments["V"] if call.function == ATTENTION else call.arguments["x"]
    asked = Call("", call.function, call.arguments, gradient=draw.normal(*like.shape), differentiate=of)
    hint = "Use only tinytorch's operations: numbers that pass through .data or NumPy lose their history."
    return Case(name, title, asked, growth=4 * growth, aspects=frozenset({Aspect.GRADIENTS}), hint=hint)


def _by_columns(draw: Draw) -> Iterator[Case]:
    hint = "Arrays need not be in row-major order in memory: rely on the axes, and do not use the `order` argument of reshape and ravel."
    arguments = _qkv(draw, 3, 5, 4) | {"mask": _mask(draw, 3, seq=5), "look_at": "output of columns"}
    title = "scaled_dot_product_attention of arrays whose first axis runs fastest in memory"
    yield _attention_case("attention-by-columns", title, arguments, hint=hint)
    title = "forward of arrays whose first axis runs fastest in memory"
    mask = _mask(draw, 3, seq=5)
    yield _case(draw, "by-columns", title, batch=3, seq=5, mask=mask, look_at="output of columns", hint=hint)


def large_scores(draw: Draw) -> Iterator[Case]:
    """exp overflows above 88 in float32, and a mask must hide what it hides from large scores, too."""
    overflow = Hint(
        "exp of a large score overflows: tinytorch's Softmax subtracts the row's maximum first.", Flaw.NOT_FINITE
    )
    yield _attention_case("attention", "scores of several hundred", _qkv(draw, 2, 6, 8, gain=14.0), hint=overflow)
    hidden = "Hidden keys must get a weight of zero, however large their scores are."
    masked = _qkv(draw, 2, 6, 8, gain=14.0) | {"mask": _causal(2, seq=6)}
    yield _attention_case("masked", "scores of several hundred, causal", masked, hint=hidden)
    arguments = _qkv(draw, 3, 5, 8, gain=0.3)
    # Queries and keys lie along one line: hidden keys where the queries point, the others away from there.
    mask = torch.tensor([1.0, 0, 1, 1, 0]).expand(3, 5, 5).clone()
    arguments["K"] += 10 - 20 * mask[:, 0, :, None]
    arguments |= {"Q": arguments["Q"] + 10, "mask": mask}
    lower = "A hidden score must end up below all the others, however high it was and however low they are: add -1e9."
    growth = 3 * _attention_growth(arguments)  # such logits meet the bound, of which others reach a third
    call = Call("", ATTENTION, arguments)
    yield Case("hidden-above", "hidden scores above 200, the others below -200", call, growth=growth, hint=lower)
    yield _case(draw, "heads", "four heads with scores of several hundred", gain=6.0, hint=overflow)


def contract(draw: Draw) -> Iterator[Case]:
    """What a caller may rely on: nothing of theirs changes, and neither calls nor layers know of one another."""
    unchanged = frozenset({Aspect.ARGUMENTS})
    arguments = _qkv(draw, 2, 5, 4) | {"mask": _mask(draw, 2, seq=5)}
    call = Call("", ATTENTION, arguments, return_arguments=True)
    hint = "Create new Tensors; leave what the caller passes unchanged."
    yield Case(
        "attention-unchanged",
        "scaled_dot_product_attention changes none of its arguments",
        call,
        aspects=unchanged,
        hint=hint,
    )
    arguments = _arguments(draw, batch=3, mask=_mask(draw, 3, seq=7))
    call = Call("", MHA, arguments, return_arguments=True)
    yield Case("unchanged", "forward changes neither input, mask nor weights", call, aspects=unchanged, hint=hint)
    first = _case(draw, "first", "a first call", seq=5, batch=3, mask=_mask(draw, 3, seq=5))
    yield first
    yield _case(
        draw,
        "second",
        "another call, with a different mask and different sizes",
        seq=5,
        batch=3,
        heads=2,
        mask=_mask(draw, 3, seq=5),
    )
    yield Case("again", "the first call once more", first.call, growth=first.growth)
    yield from _by_columns(draw)
    yield _case(
        draw, "two-layers", "a layer does not change when another one is created", look_at="output beside another"
    )
    larger = "a layer does not change when a larger one is created"
    yield _case(draw, "two-sizes", larger, look_at="output beside a larger one")
    title = "the second call of one layer, after a shorter one with a mask"
    yield _later(_case(draw, "two-calls", title, look_at="second output"))
    alone = "Calls are independent: keep no masks and no numbers from one call for the next."
    for name, title, mask in (
        ("another-mask", "the second call of one layer, with a different mask", _mask(draw, 2, seq=7)),
        ("no-mask-later", "the second call of one layer, now without a mask", LEFT_OUT),
    ):
        yield _later(_case(draw, name, title, mask=mask, look_at="output after another mask", hint=alone))
    fresh = (
        "New numbers are written into the same Tensors between calls: compute everything from them again in each call."
    )
    title = "the second call with the same Tensors, after new numbers were written into weights and mask"
    causal = _causal(2, seq=7)
    yield _later(_case(draw, "other-data", title, mask=causal, look_at="output after other data", hint=fresh))
    again = _qkv(draw, 2, 5, 4) | {"mask": _causal(2, seq=5), "look_at": "output after another mask"}
    title = "attention's second call with the same Tensors, after new numbers were written into the mask"
    yield _later(_attention_case("attention-another-mask", title, again, hint=fresh))
    for name, title in (("kept", "attention in float64"), ("kept-on", "attention of the same sizes, in float64")):
        doubles = {name: value.double() for name, value in _qkv(draw, 2, 4, 6).items()}
        yield _attention_case(name, title, doubles)


def _later(case: Case) -> Case:
    """A call that the harness makes after another: what is right without that one remembers it."""
    arguments = {name: value for name, value in case.call.arguments.items() if name != "look_at"}
    return replace(case, alone=replace(case.call, arguments=arguments))


def structure(draw: Draw) -> list[StructureCall]:
    """Calls that are watched, not judged: some numbers of heads of the same width, without and with a mask and
    with many tokens, then attention alone.
    """
    fewer, more, many = draw.choice((2, 4)), draw.choice((10, 12, 14)), draw.integer(150, 250)
    sizes = {"head_dim": 4, "seq": 5, "batch": 2}
    calls = [StructureCall(Call("", MHA, _arguments(draw, heads=n, **sizes)), n) for n in (1, fewer, more, 16)]
    for n in (fewer, more):
        masked = _arguments(draw, heads=n, mask=_mask(draw, 2, seq=5), **sizes)
        calls.append(StructureCall(Call("", MHA, masked), n, "masked"))
        longer = _arguments(draw, heads=n, **sizes | {"seq": many})
        calls.append(StructureCall(Call("", MHA, longer), n, "many-tokens"))
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
    "attention-gradients": attention_gradients,
    "gradients": gradients,
    "large-scores": large_scores,
    "contract": contract,
}
