"""What differs from mha-rope: the positions that the multi-head function is given rise along the sequence, and sizes are
fewer, for right answers in einx pay for each new shape once more: they make the mask, too.
"""

PLACES_THAT_RISE = ("0, 1, 2, ...", "shifted", "with gaps")
OF_SEVERAL = (*OF_SEVERAL, "with gaps")
RISING = DIMENSIONS | {
    "batch": (1, 2),
    "seq": (1, 2, 3),
    "heads": (1, 2),
    "positions": PLACES_THAT_RISE,
    "scores": (*DIMENSIONS["scores"], "highest where hidden"),
}
_settled_with_all_visible = _settled
_set_visible_scores = _set_scores


def _settled(choice):
    if choice["scores"] == "highest where hidden" and choice["seq"] == 1:
        choice["scores"] = "far above zero"
    return _settled_with_all_visible(choice)


def _set_scores(draw, arguments, choice):
    """That of the last token lies above all others, which only itself may see."""
    _set_visible_scores(draw, arguments, choice)
    if choice["scores"] == "highest where hidden":
        features = arguments["in_features"]
        features[..., :-1, 1], features[..., -1, 1] = 0.0, HIDDEN_ABOVE / ABOVE


SPACES[MHA] = replace(
    SPACES[MHA],
    dimensions=RISING,
    settled=_settled,
    stated=STATED | {"positions": "Positions rise along the sequence and may have gaps"},
)
SPACES["rope"] = replace(
    SPACES["rope"], stated=ROPE_STATED | {"positions": "positions may come in any order, and some may be equal"}
)
