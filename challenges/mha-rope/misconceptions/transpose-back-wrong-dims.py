"""The wrong axes are exchanged before merging.

After attention the axes are (heads, seq, d_head). Before they are flattened, heads and positions must change places,
the third and the second from the end; yours exchanges positions and features.
"""


def merge_heads(x):
    return x.mT.reshape(*x.shape[:-3], x.shape[-2], -1)
