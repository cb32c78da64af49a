"""A layer is frozen: some of its weights are never trained.

All layers must be trainable. Remove requires_grad_(False) and anything else that keeps a layer from the optimizer.
"""

EACH = {"one of the three": "W_key", "all three": "W_query W_key W_value", "out_proj": "out_proj"}


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, num_heads, qkv_bias)
        freeze(self)


class CausalAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        freeze(self)


def freeze(layer):
    for name, child in layer.named_children():
        if name in each.split():
            child.requires_grad_(False)
