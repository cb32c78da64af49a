"""No token but the first sees itself.

The diagonal is hidden as well, with an exception for the first token, which sees no other. A token sees itself and what
came before it: hide only the scores above the main diagonal, and no row is empty.
"""


def later_tokens(context_length):
    hidden = torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=0)
    hidden[0, 0] = False
    return hidden
