"""No gradient flows through the values of the {each}.

The numbers are right, but part of them is detached, so the model never learns from it. Every token of every head and
sequence contributes to the gradient.
"""

EACH = {
    "first token": (-2, 0),
    "last token": (-2, -1),
    "first head": (-3, 0),
    "last head": (-3, -1),
    "first sequence": (0, 0),
    "last sequence": (0, -1),
}


def cut_in_part(V):
    axis, place = each
    if axis == 0 and V.dim() < 4:
        return V
    is_cut = torch.zeros(V.shape[axis], dtype=torch.bool)
    is_cut[place] = True
    return torch.where(is_cut.reshape(-1, *(1,) * (V.dim() - 1 if axis == 0 else -axis - 1)), V.detach(), V)


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    Q, K = (rope(d_head, theta, max_seq_len, x, positions) for x in (Q, K))
    return Q, K, cut_in_part(V)
