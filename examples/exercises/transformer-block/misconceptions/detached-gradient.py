"""The weights are copied, and their gradients end there.

`.detach()`, `.data`, `nn.Parameter(w)` and `load_state_dict` all cut what the weights would learn. Use the tensors of the dictionary themselves.
"""


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    positions = resolve_positions(token_positions, x)
    own = {key: weight.detach() for key, weight in weights.items()}
    return add_feed_forward(add_attention(x, own, num_heads, theta, positions, eps), own, eps)
