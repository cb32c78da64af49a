"""The mask marks what to hide, and is read as what may be seen.

True means 'may attend' in scaled_dot_product_attention. A mask of later tokens (triu with diagonal 1) has it the other
way round: every token sees the later ones alone, and the last one gets the average of everything.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -1e9)


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).triu(1)
