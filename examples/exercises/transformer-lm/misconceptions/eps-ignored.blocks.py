"""eps reaches only the final norm.

The norms within the blocks keep their own 1e-5. Hand the caller's eps on to each block.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    for layer in range(num_layers):
        x = transformer_block(x, weights_of_layer(weights, layer), num_heads, theta, 1e-5)
    return x
