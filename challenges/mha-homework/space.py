"""Any call of MultiHeadAttention that the spec allows: of the spaces of mha-module, the one of what is asked for."""

SPACES = {MHA: SPACES[MHA]}
