"""Any call of the three functions that the spec allows, for the family `combinations`."""

from grader.authoring import Space

PLACES = ("0, 1, 2, ...", "shifted", "in any order", "repeated", "all 0")
OF_SEVERAL = ("in any order", "repeated")  # nothing that a single token could have
WITHOUT = {"left out": LEFT_OUT, "None": None}
LONGEST = ("as small as possible", "larger")
BELOW, LARGER = 40, 64  # positions, and max_seq_len
THETAS = {"usual": None, "a whole number": 1_000, "near 1": 1.25, "large": 500_000.0}
DTYPES = {"float32": torch.float32, "float64": torch.float64}
MODES = {"off in no_grad": GradMode.NO_GRAD, "off in inference_mode": GradMode.INFERENCE}
OUTPUT_AND_ARGUMENTS = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS})
# Scores of which exp overflows in float32, and the size of the queries that have them.
ABOVE, QUERY = 300.0, 17.0
# How far a hidden key's score lies above the others, give or take a third. Hiding after the softmax and sharing out anew
# is right as long as something is left to share, as it is here: exp(-80) has all of float32's digits.
HIDDEN_ABOVE = 60.0
FEW_VALUES = 3  # of so few, the largest may be small beside the terms that it is a sum of
TURNED_LITTLE = 20  # positions, where scores are far from zero: their roundings count as often as the scores are large

# multihead_self_attention_with_rope

LEADING = {
    "none": lambda batch: (),
    "(batch)": lambda batch: (batch,),
    "(2, batch)": lambda batch: (2, batch),
    "(batch, 1, 2)": lambda batch: (batch, 1, 2),
}
ASKED = {
    "of in_features": ("in_features",),
    "of the weights": WEIGHTS,
    "of in_features and the weights": ("in_features", *WEIGHTS),
}
DIMENSIONS = {
    "leading axes": tuple(LEADING),
    "batch": (1, 2, 3),
    "seq": (1, 2, 3, 4),
    "heads": (1, 2, 3),
    "d_head": (2, 4),
    "shape of the positions": (*WITHOUT, "(seq,)", "(1, seq)", "(batch..., seq)"),
    "positions": PLACES,
    "max_seq_len": LONGEST,
    "theta": tuple(THETAS),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "transposed", "expanded"),
    "weights": ("different", "equal numbers in different tensors", "one tensor"),
    "gradients": ("not asked for", *MODES, *ASKED),
    "scores": ("usual", "far above zero", "far below zero", "far apart"),
    "tokens": ("usual", "one of zeros"),
}


def _settled(choice):
    if choice["leading axes"] == "none":
        del choice["batch"]
        if choice["shape of the positions"] not in WITHOUT:
            choice["shape of the positions"] = "(seq,)"
    if choice["shape of the positions"] in WITHOUT:
        del choice["positions"]
    elif choice["seq"] == 1 and choice["positions"] in OF_SEVERAL:
        choice["positions"] = "shifted"
    if choice["layout"] == "expanded" and math.prod(_lead(choice)[:1]) == 1:
        choice["layout"] = "contiguous"
    if choice["scores"] == "far apart" and choice["seq"] == 1:
        choice["scores"] = "far below zero"
    if choice["scores"] != "usual":
        # Far from zero and yet near to each other: by features that turn slowly, weights of their own, and no zeros.
        choice |= {"d_head": 4, "theta": "large", "weights": "different", "tokens": "usual"}
    return choice


def _lead(choice):
    return LEADING[choice["leading axes"]](choice.get("batch"))


def _sizes(choice):
    sizes = {name: choice[name] for name in ("batch", "seq", "heads", "d_head") if name in choice}
    return sizes | {"d_model": sizes["heads"] * sizes["d_head"]}


def _places(draw, places, shape, below=BELOW):
    """Positions of that shape: each row has its own. Of those that do not count from 0, one is the largest below that
    number: code that compiles for each length of a table does so for few.
    """
    if places == "0, 1, 2, ...":
        return torch.arange(shape[-1]).expand(shape).clone()
    if places == "all 0":
        return torch.zeros(shape, dtype=torch.long)
    seq, count = shape[-1], math.prod(shape[:-1])
    if places == "shifted":
        rows = [torch.arange(seq) + draw.integer(1, below - seq) for _ in range(count)]
        rows[draw.integer(0, count - 1)] = torch.arange(below - seq, below)
        return torch.stack(rows).reshape(shape)
    rows = torch.stack([draw.distinct(seq, below - 1) for _ in range(count)])
    rows[draw.integer(0, count - 1), draw.integer(0, seq - 1)] = below - 1
    if places == "repeated":
        same, other = draw.distinct(2, seq)
        rows[:, other] = rows[:, same] = rows[:, [same, other]].amax(dim=-1)
    return rows.reshape(shape)


def _chosen_positions(draw, choice):
    if (given := choice["shape of the positions"]) in WITHOUT:
        return WITHOUT[given]
    lead = {"(seq,)": (), "(1, seq)": (1,)}.get(given, _lead(choice))
    below = BELOW if choice["scores"] == "usual" else TURNED_LITTLE
    return _places(draw, choice["positions"], (*lead, choice["seq"]), below)


def _theta(draw, choice):
    """The usual one differs from call to call."""
    base = THETAS[choice["theta"]]
    return float(draw.integer(90, 900)) if base is None else base


def _combination(draw, choice):
    dtype, of = DTYPES[choice["dtype"]], ASKED.get(choice["gradients"], ())
    arguments = _arguments(
        draw,
        batch=_lead(choice),
        seq=choice["seq"],
        heads=choice["heads"],
        d_head=choice["d_head"],
        theta=_theta(draw, choice),
        spare=0,
        positions=_chosen_positions(draw, choice),
        dtype=dtype,
    )
    if choice["max_seq_len"] == "larger":
        arguments["max_seq_len"] = LARGER
    if choice["scores"] != "usual":
        _set_scores(draw, arguments, choice)
    _settle_numbers(arguments, choice)
    call = Call(
        "",
        MHA,
        arguments,
        gradient=draw.normal(*arguments["in_features"].shape, dtype=dtype) if of else None,
        differentiate=of,
        strided=("in_features", *WEIGHTS) if choice["layout"] == "transposed" else (),
        expanded=("in_features",) if choice["layout"] == "expanded" else (),
        shared=WEIGHTS if choice["weights"] == "one tensor" else (),
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        return_arguments=True,
    )
    growth = FEW_VALUES * _growth(draw, arguments) * (4 if of else 1)
    # Far scores meet the bound of which _growth takes a third, and few values may be small beside what was rounded.
    growth *= 1 if choice["scores"] == "usual" else 5
    aspects = OUTPUT_AND_ARGUMENTS | ({Aspect.GRADIENTS} if of else set())
    return Case("", _told(choice), call, growth=growth, scale=_scale(draw, call) if of else 0.0, aspects=aspects)


def _set_scores(draw, arguments, choice):
    """Scores as far from zero as asked, and yet as near to each other as usual ones: a softmax of them is no choice of a
    single key. The first feature of a token is the sign of its scores, the second is the same everywhere; the slow pair
    of each head makes the score of them, and the fast pair what differs by position.
    """
    heads, features = choice["heads"], arguments["in_features"]
    features[..., 0] = 1.0
    features[..., 1] = -1.0 if choice["scores"] == "far below zero" else 1.0
    if choice["scores"] == "far apart":
        features[..., ::2, 0] = -1.0
    asking, seen = (arguments[name].unflatten(0, (heads, 4)) for name in WEIGHTS[:2])
    asking[..., :2], seen[..., :2] = 0.0, 0.0
    seen[:, 2:] *= 0.1
    asking[:, 2, 0] = QUERY
    seen[:, 2, 1] = ABOVE * math.sqrt(4) / QUERY


def _settle_numbers(arguments, choice):
    """What is the same in all weights, a token of zeros, and the same sequences one after the other."""
    if choice["weights"] != "different":
        arguments |= {name: arguments[WEIGHTS[0]].clone() for name in WEIGHTS}
    if choice["tokens"] == "one of zeros":
        arguments["in_features"][..., 0, :] = 0.0
    if choice["layout"] == "expanded":
        arguments["in_features"] = arguments["in_features"][:1].expand_as(arguments["in_features"]).clone()


def _scale(draw, call):
    """How large the terms are that the gradients of inputs and weights are sums of: where one key has all the weight,
    what comes through the scores cancels.
    """
    reference, heads = draw.reference, call.arguments["num_heads"]
    given = {name: value.double() for name, value in call.arguments.items() if isinstance(value, Tensor)}
    Q, K, V = (reference.split_heads(given["in_features"] @ given[name].mT, heads) for name in WEIGHTS[:3])
    upstream = reference.split_heads(call.gradient.double() @ given["o_proj_weight"], heads)
    learned = max(given[name].abs().amax().item() for name in ("in_features", *WEIGHTS[:3]))
    return learned * _largest_term(Q, K, V, upstream)


def _largest_term(Q, K, V, upstream):
    """Of the gradients of Q and K, and of V, before anything cancels."""
    of_scores = ((upstream @ V.mT).abs().amax() / math.sqrt(Q.shape[-1])).item()
    return max(upstream.abs().amax().item(), of_scores * max(1.0, Q.abs().amax().item(), K.abs().amax().item()))


def _told(choice):
    where = choice["shape of the positions"]
    told = (
        f"in_features of shape {(*_lead(choice), choice['seq'], choice['heads'] * choice['d_head'])}",
        f"num_heads = {choice['heads']}",
        _told_positions(f"token_positions{'' if where in WITHOUT else ' of shape'} {where}", choice),
        _told_theta(choice),
        choice["dtype"],
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *(() if choice["weights"] == "different" else (f"weights: {choice['weights']}",)),
        *(() if choice["tokens"] == "usual" else ("a token of zeros",)),
        *_told_rest(choice),
    )
    return ", ".join(told)


def _told_positions(said, choice):
    return said if "positions" not in choice else f"{said}, {choice['positions']}"


def _told_theta(choice):
    return f"theta: {choice['theta']}"


def _told_rest(choice):
    if choice.get("max_seq_len") == LONGEST[0]:
        yield "max_seq_len no larger than needed"
    if choice.get("scores", "usual") != "usual":
        yield f"scores {choice['scores']}"
    if choice["gradients"] != "not asked for":
        yield f"gradients {choice['gradients']}"


STATED = {
    "leading axes": "any number of leading axes (or none)",
    "shape of the positions": "an integer tensor (int64) of shape `(seq,)`, `(1, seq)` or `(batch..., seq)`",
    "positions": "Positions may have gaps, repeat and come in any order",
    "max_seq_len": "all are smaller than `max_seq_len`, and `seq <= max_seq_len`",
    "theta": "`theta` is a number above 1, a float or an int",
    "dtype": "float32 or float64, all of the same dtype",
    "layout": "need not be contiguous",
    "weights": "may hold the same numbers, or even be the same tensor",
    "gradients": "of inputs and weights, in whatever combination a call asks for.\n"
    "* **Modes**: calls under `torch.no_grad` and `torch.inference_mode`",
    "scores": "several hundred, positive or negative, or varying that much from one query to the next",
    "tokens": "A token may be all zeros",
}

SPACES = {MHA: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}
