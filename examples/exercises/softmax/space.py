"""Any call of softmax that the spec allows, for the family `combinations`."""

from grader.authoring import Space

BEFORE = {"none": (), "one": ("rows",), "two": ("rows", "blocks")}
AFTER = {"none": (), "one": ("columns",), "two": ("columns", "layers")}
DTYPES = {"float32": torch.float32, "float64": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16}
MODES = {"none, under no_grad": GradMode.NO_GRAD, "none, under inference_mode": GradMode.INFERENCE}
OFFSETS = {"near 1000": 1000, "near -1000": -1000}
MASKED = ("minus infinity in some places", "minus infinity in all places but one")

DIMENSIONS = {
    "n": (1, 2, 3, 4),
    "rows": (1, 2, 3, 4),
    "blocks": (1, 2, 3),
    "columns": (1, 2, 3, 4),
    "layers": (1, 2, 3),
    "axes before dim": tuple(BEFORE),
    "axes after dim": tuple(AFTER),
    "dim": ("negative", "not negative"),
    "values": ("usual", *OFFSETS, "rows on different levels", *MASKED),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "transposed", "expanded"),
    "gradient": ("none", *MODES, "of x"),
}


def _settled(choice):
    before, after = BEFORE[choice["axes before dim"]], AFTER[choice["axes after dim"]]
    for name in {"rows", "blocks", "columns", "layers"} - {*before, *after}:
        del choice[name]
    if choice["n"] == 1 and choice["values"] in MASKED:
        choice["values"] = "usual"  # the only number of a row is finite
    if not before and not after:
        choice["layout"] = "contiguous"
    if not before and choice["layout"] == "expanded":
        choice["layout"] = "transposed"  # along dim all numbers would be equal
    return choice


def _sizes(choice):
    return {name: choice[name] for name in ("blocks", "rows", "n", "columns", "layers") if name in choice}


def _place(choice):
    """Of the axis dim, from the front."""
    return [*_sizes(choice)].index("n")


def _chosen_x(draw, choice):
    shape, place = [*_sizes(choice).values()], _place(choice)
    if choice["layout"] == "expanded":
        shape[0] = 1
    x = 1.5 * draw.normal(*shape) + OFFSETS.get(choice["values"], 0)
    if choice["values"] == "rows on different levels":
        rows = x.amax(place, keepdim=True)
        x = x + 300 * (torch.arange(rows.numel()).reshape(rows.shape) % 3 - 1)
    if choice["values"] in MASKED:
        every = choice["values"] == "minus infinity in all places but one"
        keep = draw.normal(*shape).argmax(place, keepdim=True)
        is_hidden = torch.ones(shape, dtype=torch.bool) if every else draw.normal(*shape) > 0.3
        x = x.masked_fill(is_hidden.scatter(place, keep, False), MINUS_INFINITY)
    return x.expand([*_sizes(choice).values()]).contiguous()


def _combination(draw, choice):
    dtype = DTYPES[choice["dtype"]]
    x, place = _chosen_x(draw, choice).to(dtype), _place(choice)
    gradient = draw.normal(*x.shape).to(dtype) if choice["gradient"] == "of x" else None
    call = _call(
        x,
        place - x.dim() if choice["dim"] == "negative" else place,
        gradient=gradient,
        differentiate=() if gradient is None else ("x",),
        grad_mode=MODES.get(choice["gradient"], GradMode.DEFAULT),
        strided=("x",) if choice["layout"] == "transposed" else (),
        expanded=("x",) if choice["layout"] == "expanded" else (),
        return_arguments=True,
    )
    aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *(() if gradient is None else (Aspect.GRADIENTS,))})
    growth, scale = (1, 1.0) if gradient is None else (4, max(1.0, gradient.double().abs().amax().item()))
    return Case("", _told(choice), call, growth=growth * _growth(x), scale=scale, aspects=aspects)


def _told(choice):
    place, axes = _place(choice), len(_sizes(choice))
    told = (
        f"x of shape {tuple(_sizes(choice).values())}",
        f"dim = {place - axes if choice['dim'] == 'negative' else place}",
        choice["dtype"],
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *(() if choice["values"] == "usual" else (choice["values"],)),
        *(("with the gradient of x",) if choice["gradient"] == "of x" else ()),
        *((choice["gradient"].removeprefix("none, "),) if choice["gradient"] in MODES else ()),
    )
    return ", ".join(told)


STATED = {
    "axes before dim": "there are none, one or two axes before `dim`",
    "axes after dim": "and as many after it",
    "dim": "the sign of `dim`, which is negative or not",
    "values": "usual ones, some near 1000 or -1000, levels that differ from row to row, and minus infinity",
    "dtype": "float16, bfloat16, float32 or float64",
    "layout": "a transposed or expanded view",
    "gradient": "that of `x`, in every dtype, or none at all",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}
