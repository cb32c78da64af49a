"""Any call of transformer_lm that the spec allows, for the family `combinations`."""

from grader.authoring import Space

LEADING = {"none": lambda batch: (), "(batch)": lambda batch: (batch,), "(2, batch)": lambda batch: (2, batch)}
EPS = {"left out": None, "0.1": 0.1, "the integer 1": 1}
DTYPES = {"float32": torch.float32, "float64": torch.float64}
ASKED = {
    "of the embeddings": ("token_embeddings_weight",),
    "of the blocks": tuple(OF_A_LAYER),
    "of all weights": NAMES,
}
MODES = {"none, under no_grad": GradMode.NO_GRAD, "none, under inference_mode": GradMode.INFERENCE}
MATRICES = ("token_embeddings_weight", "lm_head_weight", *ATTENTION, *FFN)
FEW_VALUES = 3  # of so few, the largest may be small beside the terms that it is a sum of

DIMENSIONS = {
    "leading axes": tuple(LEADING),
    "batch": (1, 2, 3),
    "seq": (1, 2, 3, 4),
    "vocab_size": (2, 4, 7),
    "num_layers": (1, 2, 3),
    "num_heads": (1, 2, 3),
    "d_head": (2, 4),
    "d_ff": (1, 2, 4, 6),
    "tokens": ("any", "all alike"),
    "max_seq_len": ("as small as possible", "larger"),
    "eps": tuple(EPS),
    "values": ("usual", "of a thousandth"),
    "keys": ("as listed", "reversed"),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "transposed"),
    "gradients": ("none", *MODES, *ASKED),
}


def _settled(choice):
    if choice["leading axes"] == "none":
        del choice["batch"]
    return choice


def _lead(choice):
    return LEADING[choice["leading axes"]](choice.get("batch"))


def _sizes(choice):
    sizes = {name: value for name, value in choice.items() if isinstance(value, int)}
    return sizes | {"d_model": sizes["num_heads"] * sizes["d_head"]}


def _combination(draw, choice):
    of = ASKED.get(choice["gradients"], ())
    arguments = _arguments(
        draw,
        batch=_lead(choice),
        seq=choice["seq"],
        vocab=choice["vocab_size"],
        layers=choice["num_layers"],
        heads=choice["num_heads"],
        d_head=choice["d_head"],
        d_ff=choice["d_ff"],
        theta=float(draw.integer(20, 900)),
        eps=EPS[choice["eps"]],
        size=1e-3 if choice["values"] == "of a thousandth" else 1.0,
        dtype=DTYPES[choice["dtype"]],
    )
    if choice["tokens"] == "all alike":
        arguments["token_ids"] = torch.full_like(arguments["token_ids"], draw.integer(0, choice["vocab_size"] - 1))
    if choice["max_seq_len"] == "larger":
        arguments["max_seq_len"] = 64
    logits = (*arguments["token_ids"].shape, choice["vocab_size"])
    call = Call(
        "",
        MODEL,
        arguments | {"keys": choice["keys"]},
        gradient=draw.normal(*logits, dtype=DTYPES[choice["dtype"]]) if of else None,
        differentiate=of,
        strided=MATRICES if choice["layout"] == "transposed" else (),
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        return_arguments=True,
    )
    aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *({Aspect.GRADIENTS} if of else ())})
    growth, scale = _growth_of_gradients(draw, call) if of else (_growth(draw, arguments), 0.0)
    return Case("", _told(choice), call, growth=FEW_VALUES * growth, scale=scale, aspects=aspects)


def _told(choice):
    told = (
        f"token_ids of shape {(*_lead(choice), choice['seq'])}",
        f"vocab_size = {choice['vocab_size']}",
        f"num_layers = {choice['num_layers']}",
        f"num_heads = {choice['num_heads']}",
        f"d_model = {_sizes(choice)['d_model']}",
        f"d_ff = {choice['d_ff']}",
        *(("all tokens alike",) if choice["tokens"] == "all alike" else ()),
        *(("max_seq_len larger than needed",) if choice["max_seq_len"] == "larger" else ()),
        "eps left out" if choice["eps"] == "left out" else f"eps = {choice['eps']}",
        *(() if choice["values"] == "usual" else ("embeddings of a thousandth",)),
        *(() if choice["keys"] == "as listed" else ("keys in another order",)),
        choice["dtype"],
        *(() if choice["layout"] == "contiguous" else ("not contiguous",)),
        *((f"with gradients {choice['gradients']}",) if choice["gradients"] in ASKED else ()),
        *((choice["gradients"].removeprefix("none, "),) if choice["gradients"] in MODES else ()),
    )
    return ", ".join(told)


STATED = {
    "leading axes": "any number of leading axes (or none)",
    "tokens": "any tokens of the vocabulary, the same one several times as well",
    "max_seq_len": "`seq <= max_seq_len`",
    "eps": "left out, a float or an int",
    "values": "usual embeddings, or embeddings of a thousandth",
    "keys": "keys of `weights` in any order",
    "dtype": "float32 or float64, the same for all weights and the logits",
    "layout": "the matrices need not be contiguous",
    "gradients": "of the embeddings, of the blocks or of all weights, or none at all, also under `torch.no_grad()` and "
    "`torch.inference_mode()`",
}

SPACES = {MODEL: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}
