"""What differs from mha-rope: the positions that the multi-head function is given rise along the sequence, and sizes are
fewer, for right answers in einx pay for each new shape once more: they make the mask, too.
"""

PLACES_THAT_RISE = ("0, 1, 2, ...", "shifted", "with gaps")
OF_SEVERAL = (*OF_SEVERAL, "with gaps")
RISING = DIMENSIONS | {"batch": (1, 2), "seq": (1, 2, 3), "heads": (1, 2), "positions": PLACES_THAT_RISE}

SPACES[MHA] = replace(
    SPACES[MHA],
    dimensions=RISING,
    stated=STATED | {"positions": "Positions rise along the sequence and may have gaps"},
)
SPACES["rope"] = replace(
    SPACES["rope"], stated=ROPE_STATED | {"positions": "alone, it is given positions in any order, some of them equal"}
)
