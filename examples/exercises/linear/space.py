"""Any call of a linear layer that the spec allows, for the family `combinations`."""

from grader.authoring import GradMode, Space

LEADING = {
    "none": (),
    "(tokens)": ("tokens",),
    "(sequences, tokens)": ("sequences", "tokens"),
    "(batches, sequences, tokens)": ("batches", "sequences", "tokens"),
}
DTYPES = {"float32": torch.float32, "float64": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16}
ASKED = {"of x": ("x",), "of the weight": ("weight",), "of both": ("x", "weight")}
MODES = {"none, under no_grad": GradMode.NO_GRAD, "none, under inference_mode": GradMode.INFERENCE}

DIMENSIONS = {
    "in_features": (1, 2, 3, 4),
    "out_features": (1, 2, 3, 4),
    "tokens": (1, 2, 3, 4),
    "sequences": (1, 2, 3, 4),
    "batches": (1, 2, 3),
    "leading axes": tuple(LEADING),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "transposed", "expanded"),
    "gradients": ("none", *MODES, *ASKED),
}


def _settled(choice):
    for name in {"tokens", "sequences", "batches"} - {*LEADING[choice["leading axes"]]}:
        del choice[name]
    if choice["leading axes"] == "none":
        choice["layout"] = "contiguous"
    return choice


def _sizes(choice):
    names = ("batches", "sequences", "tokens", "in_features", "out_features")
    return {name: choice[name] for name in names if name in choice}


def _combination(draw, choice):
    *leading, width, outputs = _sizes(choice).values()
    dtype, of = DTYPES[choice["dtype"]], ASKED.get(choice["gradients"], ())
    drawn = [1, *leading[1:]] if choice["layout"] == "expanded" else leading
    arguments = _arguments(draw, *drawn, width=width, outputs=outputs, dtype=dtype)
    arguments["x"] = arguments["x"].expand(*leading, width).contiguous()
    gradient = draw.normal(*leading, outputs).to(dtype) if of else None
    call = Call(
        "",
        FUNCTION,
        arguments,
        gradient=gradient,
        differentiate=of,
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        strided=("x",) if choice["layout"] == "transposed" else (),
        expanded=("x",) if choice["layout"] == "expanded" else (),
        return_arguments=True,
    )
    return Case(
        "",
        _told(choice),
        call,
        growth=_growth(arguments["x"], max(width, outputs, math.prod(leading))),
        scale=_gradient_scale(arguments, gradient, of) if of else 0.0,
        output_scale=_sizes_of_terms(arguments),
        aspects=frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *((Aspect.GRADIENTS,) if of else ())}),
    )


def _told(choice):
    *leading, width, outputs = _sizes(choice).values()
    told = (
        f"x of shape {(*leading, width)}, out_features = {outputs}",
        choice["dtype"],
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *((f"with gradients {choice['gradients']}",) if choice["gradients"] in ASKED else ()),
        *((choice["gradients"].removeprefix("none, "),) if choice["gradients"] in MODES else ()),
    )
    return ", ".join(told)


STATED = {
    "leading axes": "the leading axes: none, one, two or three",
    "dtype": "float16, bfloat16, float32 or float64",
    "layout": "a transposed or expanded view",
    "gradients": "of `x`, of `weight` or of both, in every dtype, or none at all",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}
