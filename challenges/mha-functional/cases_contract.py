"""A case family of mha-functional, run after cases.py: what a caller may rely on."""

from grader.authoring import Aspect, GradMode


def contract(draw: Draw) -> Iterator[Case]:
    """What a caller may rely on: nothing of theirs changes, a wrong size is refused, a call does not remember another."""
    yield from _unchanged(draw)
    yield from _indivisible(draw)
    first = _case(draw, "first", "a first call", mask=_mask(draw, 3, 5, 5))
    yield first
    yield _case(draw, "other-weights", "a second call with the same sizes, different weights and no mask")
    yield _case(draw, "longer-later", "longer sequences after shorter ones", queries=9, d_head=4)
    yield Case("again", "the first call once more", first.call, growth=first.growth)
    yield from _changed_in_place(draw)


def _indivisible(draw: Draw) -> Iterator[Case]:
    """Of 16 features. A width that divides them is no proof that the number of heads does: 6 heads leave each 2."""
    for name, told, heads, mask in (
        ("indivisible", "", 3, None),
        ("indivisible-by-heads-alone", ", though d_head divides it", 6, None),
        ("indivisible-masked", ", with a mask", 5, _mask(draw, 3, 5, 5)),
        ("more-heads-than-features", ": more heads than features", 32, None),
    ):
        yield Case(
            name,
            f"a d_model not divisible by num_heads is rejected{told}",
            Call("", MHA, _arguments(draw, heads=4, d_head=4, mask=mask) | {"num_heads": heads}),
            raises=("AssertionError", "ValueError"),
            hint="Check d_model % num_heads first, with assert or ValueError.",
        )


def _changed_in_place(draw: Draw) -> Iterator[Case]:
    """As an optimiser leaves them: the very same tensors, with other values in them."""
    hint = (
        "These are the tensors of the previous call with new values: do not reuse anything computed from the old ones."
    )
    for name, title, reused in (
        ("before-the-change", "one more mask", ()),
        ("weights-changed", "the same weight tensors after a training step", WEIGHTS),
        ("inputs-changed", "the same input and mask tensors with new values", (*INPUTS, "mask")),
    ):
        arguments = _arguments(draw, mask=_mask(draw, 3, 5, 5))
        yield _judged(draw, name, title, arguments, hint=hint if reused else "", reused=reused)
    for mode in (GradMode.NO_GRAD, GradMode.INFERENCE):
        for name, reused in (("first", ()), ("rewritten", (*INPUTS, "mask", *WEIGHTS))):
            title = "new values in all tensors of the previous call" if reused else "a call that is followed by another"
            arguments = _arguments(draw, mask=_mask(draw, 3, 5, 5))
            told = f"{title}, under {mode}"
            yield _judged(draw, f"{name}-{mode}", told, arguments, reused=reused, grad_mode=mode)


def _unchanged(draw: Draw) -> Iterator[Case]:
    for name, dtype in (("unchanged", torch.bool), ("float-mask-unchanged", torch.float32)):
        arguments = _arguments(draw, mask=_mask(draw, 3, 5, 5).to(dtype))
        yield Case(
            name,
            f"no argument changes, with a mask of {dtype}",
            Call("", MHA, arguments, return_arguments=True),
            aspects=frozenset({Aspect.ARGUMENTS}),
        )


FAMILIES["contract"] = contract
