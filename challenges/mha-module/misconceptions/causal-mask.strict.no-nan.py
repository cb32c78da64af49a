"""A token does not see itself.

The diagonal is hidden as well, so the first token has nothing to attend to; its NaN is replaced by zero. A token sees
itself and what came before it: hide only the scores above the main diagonal, and no row is empty.
"""


def later_tokens(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=0)


def softmax(scores):
    return torch.softmax(scores, dim=-1).nan_to_num(0.0)
