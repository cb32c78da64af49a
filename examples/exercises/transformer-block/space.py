"""Any call of transformer_block that the spec allows, for the family `combinations`."""

from grader.authoring import Space

LEADING = {"none": lambda batch: (), "(batch)": lambda batch: (batch,), "(2, batch)": lambda batch: (2, batch)}
WITHOUT = {"left out": LEFT_OUT, "None": None}
SHIFTED_BY = 25
EPS = {"left out": None, "0.1": 0.1, "the integer 1": 1}
DTYPES = {"float32": torch.float32, "float64": torch.float64}
ASKED = {"of x": ("x",), "of the weights": tuple(NAMES), "of both": ("x", *NAMES)}
MODES = {"none, under no_grad": GradMode.NO_GRAD, "none, under inference_mode": GradMode.INFERENCE}
MATRICES = (*ATTENTION, *FFN)
FEW_VALUES = 3  # of so few, the largest may be small beside the terms that it is a sum of

DIMENSIONS = {
    "leading axes": tuple(LEADING),
    "batch": (1, 2, 3),
    "seq": (1, 2, 3, 4),
    "num_heads": (1, 2, 3),
    "d_head": (2, 4),
    "d_ff": (1, 2, 3, 4, 6),
    "shape of the positions": (*WITHOUT, "(seq,)", "(batch..., seq)"),
    "positions": ("0, 1, 2, ...", "shifted", "in any order"),
    "max_seq_len": ("as small as possible", "larger"),
    "eps": tuple(EPS),
    "values": ("usual", "of a thousandth", "with a token of zeros"),
    "keys": ("as listed", "reversed"),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "transposed"),
    "gradients": ("none", *MODES, *ASKED),
}


def _settled(choice):
    if choice["leading axes"] == "none":
        del choice["batch"]
        if choice["shape of the positions"] == "(batch..., seq)":
            choice["shape of the positions"] = "(seq,)"
    if choice["shape of the positions"] == "left out" and choice["eps"] != "left out":
        choice["shape of the positions"] = "None"  # eps comes after the positions
    if choice["shape of the positions"] in WITHOUT:
        del choice["positions"]
    elif choice["seq"] == 1 and choice["positions"] == "in any order":
        choice["positions"] = "shifted"
    if choice["values"] == "with a token of zeros" and choice["seq"] == 1:
        choice["values"] = "usual"  # a block of nothing but zeros gives zeros, whatever is wrong in it
    return choice


def _lead(choice):
    return LEADING[choice["leading axes"]](choice.get("batch"))


def _sizes(choice):
    sizes = {name: value for name, value in choice.items() if isinstance(value, int)}
    return sizes | {"d_model": sizes["num_heads"] * sizes["d_head"]}


def _chosen_positions(draw, choice):
    if (given := choice["shape of the positions"]) in WITHOUT:
        return WITHOUT[given]
    seq, lead = choice["seq"], () if given == "(seq,)" else _lead(choice)
    count = math.prod(lead)
    if choice["positions"] == "in any order":
        rows = torch.stack([draw.distinct(seq, SHIFTED_BY) for _ in range(count)])
    else:
        starts = [draw.integer(1, SHIFTED_BY) if choice["positions"] == "shifted" else 0 for _ in range(count)]
        rows = torch.stack([torch.arange(seq) + start for start in starts])
    return rows.reshape(*lead, seq)


def _combination(draw, choice):
    of = ASKED.get(choice["gradients"], ())
    arguments = _arguments(
        draw,
        batch=_lead(choice),
        seq=choice["seq"],
        heads=choice["num_heads"],
        d_head=choice["d_head"],
        d_ff=choice["d_ff"],
        theta=float(draw.integer(20, 900)),
        positions=_chosen_positions(draw, choice),
        eps=EPS[choice["eps"]],
        size=1e-3 if choice["values"] == "of a thousandth" else 1.0,
        dtype=DTYPES[choice["dtype"]],
    )
    if choice["values"] == "with a token of zeros":
        arguments["x"][..., draw.integer(0, choice["seq"] - 1), :] = 0.0
    if choice["max_seq_len"] == "larger":
        arguments["max_seq_len"] = 64
    call = Call(
        "",
        BLOCK,
        arguments | {"keys": choice["keys"]},
        gradient=draw.normal(*arguments["x"].shape, dtype=DTYPES[choice["dtype"]]) if of else None,
        differentiate=of,
        strided=("x", *MATRICES) if choice["layout"] == "transposed" else (),
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        return_arguments=True,
    )
    aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *({Aspect.GRADIENTS} if of else ())})
    growth, scale = _growth_of_gradients(draw, call) if of else (_growth(draw, arguments), 0.0)
    return Case("", _told(choice), call, growth=FEW_VALUES * growth, scale=scale, aspects=aspects)


def _told(choice):
    where = choice["shape of the positions"]
    positions = (
        f"token_positions {where}" if where in WITHOUT else f"token_positions of shape {where}, {choice['positions']}"
    )
    told = (
        f"x of shape {(*_lead(choice), choice['seq'], _sizes(choice)['d_model'])}",
        f"num_heads = {choice['num_heads']}",
        f"d_ff = {choice['d_ff']}",
        positions,
        *(("max_seq_len larger than needed",) if choice["max_seq_len"] == "larger" else ()),
        "eps left out" if choice["eps"] == "left out" else f"eps = {choice['eps']}",
        *(() if choice["values"] == "usual" else (f"values {choice['values']}",)),
        *(() if choice["keys"] == "as listed" else ("keys in another order",)),
        choice["dtype"],
        *(() if choice["layout"] == "contiguous" else ("not contiguous",)),
        *((f"with gradients {choice['gradients']}",) if choice["gradients"] in ASKED else ()),
        *((choice["gradients"].removeprefix("none, "),) if choice["gradients"] in MODES else ()),
    )
    return ", ".join(told)


STATED = {
    "leading axes": "any number of leading axes (or none)",
    "shape of the positions": "an int64 tensor of shape `(seq,)` or `(batch..., seq)`",
    "positions": "Positions may have gaps, repeat and come in any order",
    "max_seq_len": "all are smaller than `max_seq_len`, and `seq <= max_seq_len`",
    "eps": "left out, a float or an int",
    "values": "usual ones, values of a thousandth, or a token of zeros",
    "keys": "keys of `weights` in any order",
    "dtype": "float32 or float64, the same for `x`, all weights and the result",
    "layout": "`x` and the matrices need not be contiguous",
    "gradients": "of `x`, of the weights or of both, or none at all, also under `torch.no_grad()` and "
    "`torch.inference_mode()`",
}

SPACES = {BLOCK: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}
