"""A case family of tinytorch-attention, run after cases.py: what a caller may rely on."""

from dataclasses import replace

from grader.authoring import Aspect


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
    yield Case(
        "unchanged", "forward leaves the input, the mask and the weights unchanged", call, aspects=unchanged, hint=hint
    )
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
    title = "the second call of attention with the same Tensors, after new numbers were written into the mask"
    yield _later(_attention_case("attention-another-mask", title, again, hint=fresh))
    for name, title in (("kept", "attention in float64"), ("kept-on", "attention with the same sizes, in float64")):
        doubles = {name: value.double() for name, value in _qkv(draw, 2, 4, 6).items()}
        yield _attention_case(name, title, doubles)


def _by_columns(draw: Draw) -> Iterator[Case]:
    hint = "Arrays need not be in row-major order in memory: rely on the axes, and do not use the `order` argument of reshape and ravel."
    arguments = _qkv(draw, 3, 5, 4) | {"mask": _mask(draw, 3, seq=5), "look_at": "output of columns"}
    title = "scaled_dot_product_attention with arrays whose first axis runs fastest in memory"
    yield _attention_case("attention-by-columns", title, arguments, hint=hint)
    title = "forward with arrays whose first axis runs fastest in memory"
    mask = _mask(draw, 3, seq=5)
    yield _case(draw, "by-columns", title, batch=3, seq=5, mask=mask, look_at="output of columns", hint=hint)


def _later(case: Case) -> Case:
    """A call that the harness makes after another: what is right without that one remembers it."""
    arguments = {name: value for name, value in case.call.arguments.items() if name != "look_at"}
    return replace(case, alone=replace(case.call, arguments=arguments))


FAMILIES["contract"] = contract
