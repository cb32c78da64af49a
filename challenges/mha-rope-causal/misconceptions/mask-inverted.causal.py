"""The mask marks what to hide, but is used as what may be seen.

True means 'may attend' in scaled_dot_product_attention. A mask of later tokens (triu with diagonal 1) is the other way
round: the last token then sees nothing.
"""


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).triu(1)
