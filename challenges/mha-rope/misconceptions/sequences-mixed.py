"""Sequences use the {each}.

The sequences of a batch are independent of each other: each attends only to its own tokens. Leave the leading axes
untouched throughout the attention.
"""

EACH = {
    "keys of the first": (1, "first", 1),
    "values of the first": (2, "first", 1),
    "keys of the first from the third on": (1, "first", 2),
    "values of the first from the third on": (2, "first", 2),
    "keys of the one before": (1, "previous", 1),
    "values of the one before": (2, "previous", 1),
}


def of_other_sequences(x):
    _, which, start = each
    flat = x.reshape(-1, *x.shape[-3:])
    other = flat.roll(1, 0) if which == "previous" else torch.cat((flat[:start], flat[:1].expand_as(flat[start:])))
    return other.reshape(x.shape)


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    turned = (rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V)
    return tuple(of_other_sequences(x) if place == each[0] else x for place, x in enumerate(turned))
