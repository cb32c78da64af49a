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
        *(() if choice["weights"] == "different" else (f"weights are {choice['weights']}",)),
        *(() if choice["tokens"] == "usual" else ("a token of zeros",)),
        *_told_rest(choice),
    )
    return ", ".join(told)


def _told_positions(said, choice):
    return said if "positions" not in choice else f"{said}, {choice['positions']}"


def _told_theta(choice):
    return f"theta {choice['theta']}"


def _told_rest(choice):
    if choice.get("max_seq_len") == LONGEST[0]:
        yield "max_seq_len no larger than needed"
    if choice.get("scores", "usual") != "usual":
        yield f"scores {choice['scores']}"
    if choice["gradients"] != "not asked for":
        yield f"gradients {choice['gradients']}"


# rope

ROPE_LEADING = {
    "none": (),
    "(batch)": ("batch",),
    "(batch, heads)": ("batch", "heads"),
    "(2, batch, heads)": (2, "batch", "heads"),
}
ROPE_OF_ONE_AXIS = {"(..., 1, seq)": "(1, seq)", "(heads, seq)": "(..., seq)"}
ROPE_DIMENSIONS = {
    "leading axes": tuple(ROPE_LEADING),
    "batch": (1, 2, 3),
    "heads": (1, 2, 3),
    "seq": (1, 2, 3),
    "d_k": (2, 4, 6),
    "shape of the positions": ("(seq,)", "(1, seq)", "(..., 1, seq)", "(heads, seq)", "(..., seq)"),
    "positions": PLACES,
    "max_seq_len": LONGEST,
    "theta": tuple(THETAS),
    "dtype": tuple(DTYPES),
    "gradients": ("not asked for", *MODES, "of in_query_or_key"),
}


def _settled_rope(choice):
    axes = ROPE_LEADING[choice["leading axes"]]
    for name in {"batch", "heads"} - {*axes}:
        del choice[name]
    if not axes:
        choice["shape of the positions"] = "(seq,)"
    elif len(axes) == 1:
        choice["shape of the positions"] = ROPE_OF_ONE_AXIS.get(given := choice["shape of the positions"], given)
    if choice["seq"] == 1 and choice["positions"] in OF_SEVERAL:
        choice["positions"] = "shifted"
    return choice


def _rope_sizes(choice):
    return {name: choice[name] for name in ("batch", "heads", "seq", "d_k") if name in choice}


def _rope_combination(draw, choice):
    lead = tuple(choice.get(name, name) for name in ROPE_LEADING[choice["leading axes"]])
    given = {"(seq,)": (), "(1, seq)": (1,), "(..., 1, seq)": (*lead[:-1], 1), "(heads, seq)": lead[-1:]}.get(
        choice["shape of the positions"], lead
    )
    where = _places(draw, choice["positions"], (*given, choice["seq"]))
    arguments = _rope_arguments(draw, (*lead, choice["seq"], choice["d_k"]), where, _theta(draw, choice))
    longest = max(choice["seq"], int(where.max()) + 1)
    arguments["max_seq_len"] = LARGER if choice["max_seq_len"] == "larger" else longest
    x = arguments["in_query_or_key"] = arguments["in_query_or_key"].to(DTYPES[choice["dtype"]])
    is_asked = choice["gradients"] == "of in_query_or_key"
    call = Call(
        "",
        "rope",
        arguments,
        gradient=draw.normal(*x.shape, dtype=x.dtype) if is_asked else None,
        differentiate=("in_query_or_key",) if is_asked else (),
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        return_arguments=True,
    )
    told = (
        f"rope of shape {tuple(x.shape)}",
        _told_positions(f"token_positions of shape {choice['shape of the positions']}", choice),
        _told_theta(choice),
        choice["dtype"],
        *_told_rest(choice),
    )
    aspects = OUTPUT_AND_ARGUMENTS | ({Aspect.GRADIENTS} if is_asked else set())
    case = _rope_case("", ", ".join(told), arguments)
    # Where theta is near 1, other pairs turn almost as fast as the first, and their frequencies are rounded, too.
    return replace(case, call=call, aspects=aspects, growth=3 * case.growth)


# scaled_dot_product_attention

ATTENTION = "scaled_dot_product_attention"
UNMASKED = {"none": None, "left out": LEFT_OUT}
MASK_SHAPES = {  # of the leading axes: those of the queries are (batch) or (batch, heads)
    "(..., queries, keys)": lambda lead, queries: (*lead, queries),
    "(batch, 1, queries, keys)": lambda lead, queries: (*lead[:1], 1, queries),
    "(heads, queries, keys)": lambda lead, queries: (*lead[1:], queries),
    "(1, queries, keys)": lambda lead, queries: (1, queries),
    "(queries, keys)": lambda lead, queries: (queries,),
    "(..., 1, keys)": lambda lead, queries: (lead[0], *(1 for _ in lead[1:]), 1),
}
SHARED = {"Q is K is V": QKV, "K is V": QKV[1:]}
ATTENTION_ASKED = {"of Q and K": QKV[:2], "of V": QKV[2:], "of Q, K and V": QKV}
ATTENTION_DIMENSIONS = {
    "leading axes": ("(batch)", "(batch, heads)"),
    "batch": (1, 2, 3),
    "heads": (1, 2, 3),
    "queries": (1, 2, 3),
    "keys": (1, 2, 3),
    "d_k": (1, 2, 3),
    "d_v": (1, 2, 3),
    "inputs": ("different", *SHARED),
    "mask": (*UNMASKED, "hides nothing", "hides some", "hides all but one"),
    "shape of the mask": tuple(MASK_SHAPES),
    "dtype": tuple(DTYPES),
    "gradients": ("not asked for", *MODES, *ATTENTION_ASKED),
    "scores": ("usual", "far above zero", "far below zero", "far apart", "highest where hidden"),
}


def _settled_attention(choice):
    if choice["leading axes"] == "(batch)":
        del choice["heads"]
    if choice["inputs"] != "different":
        choice |= {"d_v": choice["d_k"], "scores": "usual"}
    if choice["inputs"] == "Q is K is V":
        choice["keys"] = choice["queries"]
    _settle_mask(choice)
    is_hiding = choice["mask"] in ("hides some", "hides all but one")
    if choice["scores"] == "highest where hidden" and not is_hiding:
        choice["scores"] = "far above zero"
    elif choice["scores"] == "far apart" and choice["queries"] == 1:
        choice["scores"] = "far below zero"
    return choice


def _settle_mask(choice):
    if choice["mask"] in UNMASKED:
        del choice["shape of the mask"]
        return
    if choice["keys"] == 1:
        choice["mask"] = "hides nothing"
    with_heads = ("(batch, 1, queries, keys)", "(heads, queries, keys)")
    if "heads" not in choice and choice["shape of the mask"] in with_heads:
        choice["shape of the mask"] = "(..., queries, keys)"


def _attention_sizes(choice):
    return {name: choice[name] for name in ("batch", "heads", "queries", "keys", "d_k", "d_v") if name in choice}


def _chosen_mask(draw, choice, lead, hidden):
    """True where a query may attend; that key is hidden from all, where any is."""
    keys = choice["keys"]
    shape = (*MASK_SHAPES[choice["shape of the mask"]](lead, choice["queries"]), keys)
    order = draw.normal(*shape)
    order[..., hidden] = -math.inf
    low, high = {"hides nothing": (0, 0), "hides some": (1, keys - 1), "hides all but one": (keys - 1, keys - 1)}[
        choice["mask"]
    ]
    count = torch.tensor([draw.integer(low, high) for _ in range(math.prod(shape[:-1]))]).reshape(*shape[:-1], 1)
    return order.argsort(dim=-1).argsort(dim=-1) >= count


def _chosen_qkv(draw, choice, lead, hidden):
    arguments = _qkv(draw, (*lead, choice["queries"], choice["d_k"]), keys=choice["keys"], d_v=choice["d_v"])
    if choice["scores"] != "usual":
        per_score = math.sqrt(choice["d_k"]) * QUERY
        asking, seen = QUERY + 2 * arguments["Q"], 0.07 * arguments["K"]
        if choice["scores"] == "highest where hidden":
            seen[..., hidden, :] += HIDDEN_ABOVE / per_score
        else:
            seen += (-ABOVE if choice["scores"] == "far below zero" else ABOVE) / per_score
        if choice["scores"] == "far apart":
            asking[..., ::2, :] *= -1
        arguments |= {"Q": asking, "K": seen}
    for name in SHARED.get(choice["inputs"], ()):
        arguments[name] = arguments["V"].clone()
    return {name: value.to(DTYPES[choice["dtype"]]) for name, value in arguments.items()}


def _attention_combination(draw, choice):
    lead = (choice["batch"], choice["heads"]) if "heads" in choice else (choice["batch"],)
    hidden = draw.integer(0, choice["keys"] - 1)
    arguments = _chosen_qkv(draw, choice, lead, hidden)
    growth = FEW_VALUES * (_attention_growth if choice["scores"] == "usual" else _aligned_growth)(arguments)
    if choice["mask"] == "none":
        arguments["mask"] = None
    elif "shape of the mask" in choice:
        arguments["mask"] = _chosen_mask(draw, choice, lead, hidden)
    of = ATTENTION_ASKED.get(choice["gradients"], ())
    dtype = arguments["Q"].dtype
    upstream = draw.normal(*lead, choice["queries"], choice["d_v"], dtype=dtype)
    call = Call(
        "",
        ATTENTION,
        arguments,
        gradient=upstream if of else None,
        differentiate=of,
        shared=SHARED.get(choice["inputs"], ()),
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        return_arguments=True,
    )
    aspects = OUTPUT_AND_ARGUMENTS | ({Aspect.GRADIENTS} if of else set())
    scale = _largest_term(*(arguments[name].double() for name in QKV), upstream.double()) if of else 0.0
    growth *= 4 if of else 1
    return Case("", _told_attention(choice, lead), call, growth=growth, scale=scale, aspects=aspects)


def _told_attention(choice, lead):
    if choice["mask"] in UNMASKED:
        masked = f"mask {choice['mask']}"
    else:
        masked = f"a mask {choice['shape of the mask']} that {choice['mask']}"
    told = (
        f"attention of {(*lead, choice['queries'], choice['d_k'])}",
        f"{choice['keys']} key{'s' if choice['keys'] > 1 else ''}",
        f"d_v = {choice['d_v']}",
        masked,
        choice["dtype"],
        *(() if choice["inputs"] == "different" else (choice["inputs"],)),
        *_told_rest(choice),
    )
    return ", ".join(told)


STATED = {
    "leading axes": "any number of leading axes, none included",
    "shape of the positions": "an integer tensor (int64) of shape `(seq,)`, `(1, seq)` or `(batch..., seq)`",
    "positions": "Positions may have gaps, repeat and come in any order",
    "max_seq_len": "all are smaller than `max_seq_len`, and `seq <= max_seq_len`",
    "theta": "`theta` is a number above 1, a float or an int",
    "dtype": "float32 or float64, all of one dtype",
    "layout": "need not be contiguous",
    "weights": "may hold the same numbers, or be one tensor",
    "gradients": "gradients of inputs and weights, whichever are asked for; calls under `torch.no_grad` and "
    "`torch.inference_mode`",
    "scores": "scores of several hundred, above zero or below, or differing so from one query to the next",
    "tokens": "A token may be all zeros",
}
ROPE_STATED = {name: STATED[name] for name in ("positions", "max_seq_len", "theta", "dtype", "gradients")} | {
    "leading axes": "It takes `(..., seq, d_k)`",
    "shape of the positions": "positions of shape `(seq,)`, or broadcastable to `(..., seq)`",
}
ATTENTION_STATED = {name: STATED[name] for name in ("dtype", "gradients", "scores")} | {
    "leading axes": "takes 3-D and 4-D tensors",
    "inputs": "`Q`, `K` and `V` may be one tensor",
    "mask": "no row of `mask` is False as a whole",
    "shape of the mask": "broadcastable to `(..., queries, keys)`",
}

SPACES = {
    MHA: Space(DIMENSIONS, _settled, _sizes, _combination, STATED),
    "rope": Space(ROPE_DIMENSIONS, _settled_rope, _rope_sizes, _rope_combination, ROPE_STATED),
    ATTENTION: Space(
        ATTENTION_DIMENSIONS, _settled_attention, _attention_sizes, _attention_combination, ATTENTION_STATED
    ),
}
