"""With one head, the output projection is missing.

out_proj is part of the layer whatever the number of heads, and it is learned along with the rest.
"""


def merge_heads(x):
    batch, heads, seq, head_dim = x.shape
    merged = x.transpose(1, 2).reshape(batch, seq, heads * head_dim)
    merged.is_of_one_head = heads == 1
    return merged


def project_output(module, x):
    return x if x.is_of_one_head else module.out_proj(x)
