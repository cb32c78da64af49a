"""No gradient flows through the {each}.

The numbers are right, but part of the queries, keys and values is detached, so the model never learns from it. Every
token of every head and sequence contributes to the gradient.
"""

EACH = {
    "first token": (-2, 0),
    "last token": (-2, -1),
    "first head": (-3, 0),
    "last head": (-3, -1),
    "first sequence": (0, 0),
    "last sequence": (0, -1),
}


def leave_out_of_graph(x):
    axis, place = each
    if axis == 0 and x.dim() < 4:
        return x
    is_cut = torch.zeros(x.shape[axis], dtype=torch.bool)
    is_cut[place] = True
    return torch.where(is_cut.reshape(-1, *(1,) * (x.dim() - 1 if axis == 0 else -axis - 1)), x.detach(), x)


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    Q, K, V = (leave_out_of_graph(x) for x in (Q, K, V))
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V
