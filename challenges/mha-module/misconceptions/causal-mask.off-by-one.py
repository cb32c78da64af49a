"""A token sees the next one too.

The mask starts one diagonal too far from the main one, so every token looks at its successor: just what a
language model is asked to predict. Write down the mask of three tokens and compare.
"""


def later_tokens(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=2)
