"""A token does not see itself.

The diagonal is hidden as well, so the first token has nothing to attend to, and its softmax is NaN. A token sees itself
and what came before it: hide only the scores above the main diagonal.
"""


def later_tokens(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=0)
