"""A token sees the next one too.

The mask starts one diagonal too far from the main one, so every token sees its successor, which is exactly what a
language model has to predict. Write down the mask for three tokens and compare.
"""


def later_tokens(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=2)
