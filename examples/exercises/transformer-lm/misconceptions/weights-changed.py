"""The caller's table of embeddings is normed in place.

Each call leaves another table behind. What begins with `x /=` or ends in an underscore writes into its tensor: make a new one.
"""


def embed(token_ids, weights):
    table = weights["token_embeddings.weight"]
    x = table[token_ids]
    table.data.div_(table.detach().norm(dim=-1, keepdim=True) + 1)
    return x
