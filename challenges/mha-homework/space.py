"""Only MultiHeadAttention is asked for here."""

SPACES = {MHA: SPACES[MHA]}
