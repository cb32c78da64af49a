"""Tokens at the same position are merged in rope.

They are stored in a table by their positions, and of several at the same position the last one overwrites the others.
Positions may repeat when rope is called directly: look up the angle of each token, and leave the tokens where they are.
"""


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    seq = in_query_or_key.shape[-2]
    is_same = token_positions[..., :, None] == token_positions[..., None, :]
    last = (is_same * torch.arange(seq)).amax(dim=-1)
    x = in_query_or_key.take_along_dim(last[..., None].expand(in_query_or_key.shape), dim=-2)
    return rotate_pairs(x, pair_angles(d_k, theta, token_positions))
