"""Any call of rope that the spec allows, run after space.py."""

from dataclasses import replace

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


ROPE_STATED = {name: STATED[name] for name in ("positions", "max_seq_len", "theta", "dtype", "gradients")} | {
    "leading axes": "`rope` takes `(..., seq, d_k)`",
    "shape of the positions": "positions of shape `(seq,)`, or broadcastable to `(..., seq)`",
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


SPACES["rope"] = Space(ROPE_DIMENSIONS, _settled_rope, _rope_sizes, _rope_combination, ROPE_STATED)
