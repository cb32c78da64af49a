"""The mask is transposed.

Its rows belong to the queries and its columns to the keys, like those of the scores. Transposed, a causal mask hides
the past and shows the future.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    exchanged = read_mask(mask).mT
    return scores + (exchanged if mask.dim() == 2 else exchanged.unsqueeze(-3)) * -1e9
