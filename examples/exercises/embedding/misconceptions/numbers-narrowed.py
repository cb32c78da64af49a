"""Tokens are converted to {each} on the way.

That dtype cannot hold the numbers of a large vocabulary. Leave token_ids as they are.
"""

EACH = {"int8": "int8", "uint8": "uint8", "float16": "float16", "bfloat16": "bfloat16"}


def looked_up(weight, token_ids):
    return weight[token_ids.to(getattr(torch, each)).long() % weight.shape[0]]
