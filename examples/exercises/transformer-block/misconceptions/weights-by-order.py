"""Weights are taken from the dictionary by their order instead of their names.

`weights.values()` gives them in the order in which somebody put them in. Look each one up by its key.
"""


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    names = (
        "attn_norm",
        "attn.q_proj",
        "attn.k_proj",
        "attn.v_proj",
        "attn.o_proj",
        "ffn_norm",
        "ffn.w1",
        "ffn.w2",
        "ffn.w3",
    )
    own = {f"{name}.weight": weight for name, weight in zip(names, weights.values())}
    positions = resolve_positions(token_positions, x)
    return add_feed_forward(add_attention(x, own, num_heads, theta, positions, eps), own, eps)
