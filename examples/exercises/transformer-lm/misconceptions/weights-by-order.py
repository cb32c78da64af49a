"""Weights of a block are taken from the dictionary by their order instead of their names.

`weights.values()` gives them in the order in which somebody put them in. Look each one up by its key.
"""


def weights_of_layer(weights, layer):
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
    own = [weight for key, weight in weights.items() if key.startswith(f"layers.{layer}.")]
    return {f"{name}.weight": weight for name, weight in zip(names, own)}
