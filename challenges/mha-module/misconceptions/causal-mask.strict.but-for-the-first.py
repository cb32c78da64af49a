"""A token does not see itself, but for the first.

The diagonal is hidden as well, and the first token is spared, as it has no other. A token sees itself and what came before
it: count from the first diagonal above the main one, and no row is empty.
"""


def later_tokens(context_length):
    hidden = torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=0)
    hidden[0, 0] = False
    return hidden
