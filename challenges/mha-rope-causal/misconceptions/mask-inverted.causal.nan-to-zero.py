"""The mask marks what to hide, but is used as what may be seen.

True means 'may attend' in scaled_dot_product_attention. A mask of later tokens (triu with diagonal 1) is the other way
round: the last token then sees nothing, and replacing the resulting NaN with zeros only hides the problem.
"""


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).triu(1)


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return (weights / weights.sum(dim=-1, keepdim=True)).nan_to_num(0.0)
