"""A loop handles one head at a time.

The values are right, but every head runs its own operations, one after the other. The wrapper may do that, but
MultiHeadAttention must put the heads in an axis that matmul treats as a batch.
"""


def attend_in_heads(layer, queries, keys, values):
    heads = (split_heads(x, layer).unbind(1) for x in (queries, keys, values))
    return torch.stack([attend(layer, *head) for head in zip(*heads, strict=True)], 1)
