"""The heads are joined from the last to the first.

Merging undoes the split: head h returns the features h*head_dim to (h+1)*head_dim, where out_proj expects them.
"""


def merge_heads(x):
    batch, heads, seq, head_dim = x.shape
    return x[:, ::-1].transpose(1, 2).reshape(batch, seq, heads * head_dim)
