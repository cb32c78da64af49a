"""Any call of cross_entropy that the spec allows, for the family `combinations`."""

from grader.authoring import Space

LEADING = {
    "none": (),
    "(positions)": ("positions",),
    "(sequences, positions)": ("sequences", "positions"),
    "(blocks, sequences, positions)": ("blocks", "sequences", "positions"),
}
DTYPES = {"float32": torch.float32, "float64": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16}
MODES = {"none, under no_grad": GradMode.NO_GRAD, "none, under inference_mode": GradMode.INFERENCE}
OFFSETS = {"near 1000": 1000, "near -1000": -1000}
OF_TARGETS = {"far below at the targets": -900.0, "far above at the targets": 300.0}

DIMENSIONS = {
    "vocab_size": (1, 2, 3, 4),
    "positions": (1, 2, 3, 4),
    "sequences": (1, 2, 3, 4),
    "blocks": (1, 2, 3),
    "leading axes": tuple(LEADING),
    "targets": ("any tokens", "the first token", "the last token"),
    "logits": ("usual", *OFFSETS, "on different levels", *OF_TARGETS, "minus infinity in some places"),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "logits transposed", "targets transposed", "both expanded"),
    "gradient": ("none", *MODES, "of the logits"),
}


def _settled(choice):
    for name in {"positions", "sequences", "blocks"} - {*LEADING[choice["leading axes"]]}:
        del choice[name]
    if choice["leading axes"] == "none":
        choice["layout"] = "contiguous"
    if choice["vocab_size"] == 1:
        choice["targets"] = "any tokens"
        if choice["logits"] == "minus infinity in some places":
            choice["logits"] = "usual"  # the only token is the target, whose logit is finite
    return choice


def _sizes(choice):
    return {name: choice[name] for name in ("blocks", "sequences", "positions", "vocab_size") if name in choice}


def _chosen(draw, choice):
    """Logits and targets."""
    *leading, vocab_size = _sizes(choice).values()
    drawn = [1, *leading[1:]] if choice["layout"] == "both expanded" else leading
    logits = 1.5 * draw.normal(*drawn, vocab_size) + OFFSETS.get(choice["logits"], 0)
    targets = {
        "any tokens": draw.normal(*drawn, vocab_size).argmax(-1),
        "the first token": torch.zeros(drawn, dtype=torch.int64),
        "the last token": torch.full(drawn, vocab_size - 1),
    }[choice["targets"]]
    if choice["logits"] == "on different levels":
        logits = logits + 300 * (torch.arange(targets.numel()).reshape(*drawn, 1) % 3 - 1)
    if choice["logits"] in OF_TARGETS:
        moved = torch.full((*drawn, 1), OF_TARGETS[choice["logits"]])
        logits = logits.scatter_add(-1, targets.unsqueeze(-1), moved)
    if choice["logits"] == "minus infinity in some places":
        is_hidden = (draw.normal(*drawn, vocab_size) > 0).scatter(-1, targets.unsqueeze(-1), False)
        logits = logits.masked_fill(is_hidden, MINUS_INFINITY)
    return logits.expand(*leading, vocab_size).contiguous(), targets.expand(leading).contiguous()


STRIDED = {"logits transposed": ("logits",), "targets transposed": ("targets",)}


def _combination(draw, choice):
    logits, targets = _chosen(draw, choice)
    logits = logits.to(DTYPES[choice["dtype"]])
    is_asked = choice["gradient"] == "of the logits"
    call = _call(
        logits,
        targets,
        gradient=torch.tensor(UPSTREAM, dtype=logits.dtype) if is_asked else None,
        differentiate=("logits",) if is_asked else (),
        grad_mode=MODES.get(choice["gradient"], GradMode.DEFAULT),
        strided=STRIDED.get(choice["layout"], ()),
        expanded=("logits", "targets") if choice["layout"] == "both expanded" else (),
        return_arguments=True,
    )
    aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *((Aspect.GRADIENTS,) if is_asked else ())})
    return Case(
        "",
        _told(choice),
        call,
        growth=(4 if is_asked else 1) * _growth(logits),
        scale=UPSTREAM / targets.numel(),
        output_scale=1.0,
        aspects=aspects,
        what="loss",
    )


def _told(choice):
    told = (
        f"logits of shape {tuple(_sizes(choice).values())}",
        choice["dtype"],
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *(() if choice["logits"] == "usual" else (choice["logits"],)),
        *(() if choice["targets"] == "any tokens" else (f"{choice['targets']} everywhere",)),
        *(("with the gradient of the logits",) if choice["gradient"] == "of the logits" else ()),
        *((choice["gradient"].removeprefix("none, "),) if choice["gradient"] in MODES else ()),
    )
    return ", ".join(told)


STATED = {
    "leading axes": "there are none, one, two or three leading axes",
    "targets": "any tokens, the first one everywhere, or the last one everywhere",
    "logits": "usual ones, some near 1000 or -1000, levels that differ from position to position",
    "dtype": "float16, bfloat16, float32 or float64",
    "layout": "may be transposed or expanded views",
    "gradient": "that of `logits`, in every dtype, or none at all",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}
