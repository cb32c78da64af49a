"""The case family `contract` of mha-module, run after cases.py: what a module refuses, holds and keeps."""

from dataclasses import replace

from grader.authoring import Aspect

WEIGHTS = "number of trainable weights"


def contract(draw: Draw) -> Iterator[Case]:
    """What a caller may rely on: x stays as it was, sizes that do not fit are refused, a module holds what it says."""
    arguments = _arguments(draw)
    yield Case(
        "unchanged",
        "x does not change",
        Call("", MHA, arguments, return_arguments=True),
        aspects=frozenset({Aspect.ARGUMENTS}),
    )
    yield from _indivisible(draw)
    yield from _state(draw)
    first = _case(draw, "first", "a first module", tokens=5)
    yield first
    yield _case(draw, "second", "a second module, with different sizes", tokens=9, heads=2, width=7, spare=12)
    yield Case("again", "the first module again", first.call, growth=first.growth)
    between = "Keep a module's sizes and mask on self, not in the class or in a global variable."
    yield _case(draw, "beside", "two modules side by side", given={"measure": "beside"}, hint=between)
    alone = "Calls are independent: nothing that forward keeps on self may depend on x."
    later = _case(
        draw,
        "later",
        "later calls of one module, each with a different x",
        spare=40,
        given={"measure": "later"},
        hint=alone,
    )
    yield replace(later, what="outputs of two later calls")


def _indivisible(draw: Draw) -> Iterator[Case]:
    """When the module is made: whoever makes it learns of it there, not at the first call."""
    for name, told, heads, width in (
        ("indivisible", "", 3, 4),
        ("indivisible-by-heads-alone", ", though head_dim divides it", 6, 4),
        ("more-heads-than-features", ": more heads than features", 8, 1),
    ):
        sizes = _arguments(draw, heads=4, width=width, d_in=3 * heads)  # d_in divides: it is not asked about
        yield Case(
            name,
            f"a d_out not divisible by num_heads is rejected in __init__{told}",
            Call("", MHA, sizes | {"num_heads": heads, "measure": "made"}),
            raises=("AssertionError", "ValueError"),
            hint="Check d_out % num_heads in __init__, with assert or ValueError.",
        )


def _state(draw: Draw) -> Iterator[Case]:
    trained = "Three projections {} biases, out_proj with one, and nothing else: the mask is not a parameter."
    counted = {"measure": "parameters"}
    without, with_biases = trained.format("without"), trained.format("with")
    number = _case(draw, "parameters", f"the {WEIGHTS}", given=counted, hint=without)
    yield replace(number, what=WEIGHTS)
    number = _case(draw, "parameters-bias", "the same with qkv_bias=True", bias=True, given=counted, hint=with_biases)
    yield replace(number, what=WEIGHTS)
    yield from _registered(draw)
    yield _case(draw, "saved", "state_dict holds everything another module needs", given={"measure": "saved"})


def _registered(draw: Draw) -> Iterator[Case]:
    kept = "Keep the heads in an nn.ModuleList: a plain list hides their weights from the module."
    title = f"the {WEIGHTS} of the wrapper: those of all its heads"
    number = _case(draw, "parameters-wrapper", title, WRAPPER, heads=3, given={"measure": "parameters"}, hint=kept)
    yield replace(number, what=WEIGHTS)


FAMILIES["contract"] = contract
