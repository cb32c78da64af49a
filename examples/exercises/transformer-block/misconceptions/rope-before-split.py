"""RoPE is applied before the split into heads.

Each head has all frequencies. Over the whole width, only the first head gets the fast ones.
"""


def encode_positions(Q, K, V, positions, theta):
    heads = Q.shape[-3]
    whole = [
        split_heads(rotate(merge_heads(x), pair_angles(positions, heads * Q.shape[-1], theta)), heads) for x in (Q, K)
    ]
    return *whole, V
