"""A token does not see itself, except the first one.

The diagonal is hidden as well, with an exception for the first token, which sees no other. A token sees itself and what
came before it: hide from the first diagonal above the main one, and no row is empty.
"""


def later_tokens(context_length):
    hidden = torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=0)
    hidden[0, 0] = False
    return hidden
