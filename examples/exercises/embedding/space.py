"""Any call of an embedding that the spec allows, for the family `combinations`."""

from grader.authoring import GradMode, Space

AXES = {
    "none": (),
    "(tokens)": ("tokens",),
    "(sequences, tokens)": ("sequences", "tokens"),
    "(batches, sequences, tokens)": ("batches", "sequences", "tokens"),
}
DTYPES = {"float32": torch.float32, "float64": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16}
MODES = {"none, under no_grad": GradMode.NO_GRAD, "none, under inference_mode": GradMode.INFERENCE}

DIMENSIONS = {
    "num_embeddings": (1, 2, 3, 4),
    "embedding_dim": (1, 2, 3, 4),
    "tokens": (1, 2, 3, 4),
    "sequences": (1, 2, 3, 4),
    "batches": (1, 2, 3),
    "axes of token_ids": tuple(AXES),
    "which tokens": ("any", "the same one everywhere", "the last one everywhere"),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "transposed", "expanded"),
    "gradient": ("none", *MODES, "of the weight"),
}


def _settled(choice):
    for name in {"tokens", "sequences", "batches"} - {*AXES[choice["axes of token_ids"]]}:
        del choice[name]
    if choice["axes of token_ids"] == "none":
        choice["layout"] = "contiguous"
    return choice


def _sizes(choice):
    names = ("batches", "sequences", "tokens", "num_embeddings", "embedding_dim")
    return {name: choice[name] for name in names if name in choice}


def _chosen_tokens(draw, choice, shape):
    count = choice["num_embeddings"]
    if choice["which tokens"] == "any":
        return _token_ids(draw, count, *shape)
    number = count - 1 if choice["which tokens"] == "the last one everywhere" else draw.integer(0, count - 1)
    return torch.full(shape, number)


def _combination(draw, choice):
    *shape, count, width = _sizes(choice).values()
    drawn = [1, *shape[1:]] if choice["layout"] == "expanded" else shape
    token_ids = _chosen_tokens(draw, choice, drawn).expand(shape).contiguous()
    arguments = _arguments(draw, token_ids, count=count, width=width, dtype=DTYPES[choice["dtype"]])
    is_asked = choice["gradient"] == "of the weight"
    gradient = draw.normal(*shape, width).to(DTYPES[choice["dtype"]]) if is_asked else None
    call = Call(
        "",
        FUNCTION,
        arguments,
        gradient=gradient,
        differentiate=("weight",) if is_asked else (),
        grad_mode=MODES.get(choice["gradient"], GradMode.DEFAULT),
        strided=("token_ids",) if choice["layout"] == "transposed" else (),
        expanded=("token_ids",) if choice["layout"] == "expanded" else (),
        return_arguments=True,
    )
    return Case(
        "",
        _told(choice),
        call,
        growth=_growth(arguments["weight"], token_ids.numel() if is_asked else 1),
        scale=_gradient_scale(gradient, token_ids) if is_asked else 0.0,
        aspects=frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *((Aspect.GRADIENTS,) if is_asked else ())}),
    )


def _told(choice):
    *shape, count, width = _sizes(choice).values()
    told = (
        f"token_ids of shape {tuple(shape)}, weight of shape ({count}, {width})",
        choice["dtype"],
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *(() if choice["which tokens"] == "any" else (choice["which tokens"],)),
        *(("with the gradient of the weight",) if choice["gradient"] == "of the weight" else ()),
        *((choice["gradient"].removeprefix("none, "),) if choice["gradient"] in MODES else ()),
    )
    return ", ".join(told)


STATED = {
    "axes of token_ids": "the shape of `token_ids`: none, one, two or three axes",
    "which tokens": "the tokens: any, the same one everywhere, or the last one everywhere",
    "dtype": "float16, bfloat16, float32 or float64",
    "layout": "a transposed or expanded view",
    "gradient": "of `weight`, in every dtype, or none at all",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}
