"""The mask is transposed.

Its rows belong to the queries and its columns to the keys, like those of the scores. Transposed, a causal mask hides
the past and shows the future.
"""


def make_room_for_heads(mask):
    return mask.mT if mask.dim() == 2 else mask.mT.unsqueeze(-3)
