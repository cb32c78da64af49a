"""Case families of mha-rope, run after cases.py: what a caller may rely on."""

from dataclasses import replace


def contract(draw: Draw) -> Iterator[Case]:
    """What a caller may rely on: nothing of theirs changes, a wrong size is refused, a call does not remember
    another.
    """
    yield from _unchanged(draw)
    yield from _indivisible(draw)
    first = _case(draw, "first", "a first call", theta=90.0, seq=5)
    yield first
    yield _case(draw, "second", "another call, with a different theta and sizes", theta=2000.0, seq=8, d_head=4)
    yield _case(draw, "longer-later", "a longer sequence after a shorter one", theta=90.0, seq=11)
    yield _case(draw, "other-weights", "the sizes of the first call with different weights", theta=90.0, seq=5)
    yield Case("again", "the first call once more", first.call, growth=first.growth)
    yield _case(draw, "close-theta", "the sizes of the first call with theta = 90.5", theta=90.5, seq=5)
    # A theta that no other case has: what is kept of it is float64 first.
    for name, dtype in (("in-float64", torch.float64), ("in-float32", torch.float32)):
        yield _case(draw, name, f"theta = 77, {name.replace('-', ' ')}", theta=77.0, seq=5, dtype=dtype)
    yield from _changed_in_place(draw)


CHANGED = (
    "These are the tensors of the previous call with new values: do not reuse anything computed from the old ones."
)


def _changed_in_place(draw: Draw) -> Iterator[Case]:
    """As an optimiser and a loop over batches leave them: the very same tensors, some with other values in them."""
    yield from _one_after_the_other(
        draw,
        GradMode.DEFAULT,
        ("before-the-change", "positions with gaps", ()),
        ("weights-changed", "the same tensors, weights with new values", WEIGHTS),
        ("input-changed", "the same tensors, in_features with new values", ("in_features",)),
        ("positions-changed", "the same tensors, token_positions with new values", ("token_positions",)),
    )
    yield from _parts_changed_in_place(draw)
    yield from _one_after_the_other(
        draw,
        GradMode.NO_GRAD,
        ("before-without-graph", "positions with gaps, under no_grad", ()),
        ("weights-without-graph", "the same tensors under no_grad, weights with new values", WEIGHTS),
        ("input-without-graph", "the same tensors under no_grad, in_features with new values", ("in_features",)),
    )


def _one_after_the_other(draw: Draw, mode: GradMode, *changes: tuple[str, str, tuple[str, ...]]) -> Iterator[Case]:
    arguments = _arguments(draw, positions=draw.distinct(7, 40)) | {"max_seq_len": 40}
    tensors = (*WEIGHTS, "in_features", "token_positions")
    for name, title, changed in changes:
        new = _arguments(draw, positions=draw.distinct(7, 40))
        arguments = arguments | {name: new[name] for name in changed}
        call = Call("", MHA, arguments, reused=tensors if changed else (), grad_mode=mode)
        yield Case(name, title, call, growth=_growth(draw, arguments), hint=CHANGED if changed else "")


def _parts_changed_in_place(draw: Draw) -> Iterator[Case]:
    """The same of each part alone."""
    attended = _qkv(draw, (2, 3, 5, 4)) | {"mask": _mask(draw, 5, 5)}
    for name, changed in (("attention-before", {}), ("attention-changed", {"mask": _mask(draw, 5, 5).roll(1, 0)})):
        attended = attended | changed
        call = Call("", "scaled_dot_product_attention", attended, reused=tuple(attended) if changed else ())
        title = (
            "attention of the same tensors, the mask with new values"
            if changed
            else "attention before its mask changes"
        )
        yield Case(name, title, call, growth=_attention_growth(attended), hint=CHANGED if changed else "")
    turned = _rope_arguments(draw, (2, 5, 8), draw.distinct(5, 30)) | {"max_seq_len": 40}
    for name, changed in (("rope-before", {}), ("rope-changed", {"token_positions": draw.distinct(5, 40)})):
        turned = turned | changed
        title = (
            "rope of the same tensors, the positions with new values" if changed else "rope before its positions change"
        )
        case = _rope_case(name, title, turned, CHANGED if changed else "")
        reused = ("in_query_or_key", "token_positions") if changed else ()
        yield replace(case, call=replace(case.call, reused=reused))


def _unchanged(draw: Draw) -> Iterator[Case]:
    unchanged = frozenset({Aspect.ARGUMENTS})
    arguments = _arguments(draw, positions=draw.distinct(7, 30) + 1)  # from 0, taking off the smallest changes nothing
    yield Case(
        "unchanged",
        "the multi-head function does not change its arguments",
        Call("", MHA, arguments, return_arguments=True),
        aspects=unchanged,
    )
    part = _rope_arguments(draw, (2, 5, 8), torch.arange(5) + 2)
    yield Case(
        "rope-unchanged",
        "rope does not write into its argument",
        Call("", "rope", part, return_arguments=True),
        aspects=unchanged,
        hint="Build a new tensor instead of assigning to slices of the argument.",
    )
    masked = _qkv(draw, (2, 3, 5, 4)) | {"mask": _mask(draw, 5, 5)}
    for name, arguments, what in (
        ("attention-unchanged", _qkv(draw, (2, 5, 4)), "its arguments"),
        ("mask-unchanged", masked, "its arguments, including the mask"),
    ):
        yield Case(
            name,
            f"scaled_dot_product_attention does not write into {what}",
            Call("", "scaled_dot_product_attention", arguments, return_arguments=True),
            aspects=unchanged,
            hint="A method that ends in an underscore writes into its tensor: use the version without.",
        )


def _indivisible(draw: Draw) -> Iterator[Case]:
    """Of 16 features. A width that divides them is no proof that the number of heads does: 6 heads leave each 2."""
    arguments = _arguments(draw, heads=4, d_head=4)
    for name, told, heads in (
        ("indivisible", "", 3),
        ("indivisible-by-heads-alone", ", though d_head divides it", 6),
        ("more-heads-than-features", ": more heads than features", 32),
    ):
        yield Case(
            name,
            f"a d_model not divisible by num_heads is rejected{told}",
            Call("", MHA, arguments | {"num_heads": heads}),
            raises=("AssertionError", "ValueError"),
            hint="Check d_model % num_heads first, with assert or ValueError.",
        )


FAMILIES["contract"] = contract
