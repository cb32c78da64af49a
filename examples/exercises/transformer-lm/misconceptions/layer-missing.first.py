"""The first block is left out.

Layers are counted from 0, not from 1.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    for layer in range(1, num_layers):
        x = transformer_block(x, weights_of_layer(weights, layer), num_heads, theta, eps)
    return x
