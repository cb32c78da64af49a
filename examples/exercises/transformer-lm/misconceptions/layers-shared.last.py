"""All blocks use the weights of the last layer.

Weights of later layers replace those of earlier ones. Give each block weights of its own.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    for _ in range(num_layers):
        x = transformer_block(x, weights_of_layer(weights, num_layers - 1), num_heads, theta, eps)
    return x
