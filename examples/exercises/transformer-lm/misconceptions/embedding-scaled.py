"""The embeddings are multiplied by the root of d_model.

The first Transformer did so. Here a token's vector is its row of the table.
"""


def embed(token_ids, weights):
    table = weights["token_embeddings.weight"]
    return table[token_ids] * math.sqrt(table.shape[-1])
