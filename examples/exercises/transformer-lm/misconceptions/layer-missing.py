"""The last block is left out.

`range(n)` ends at n - 1 by itself: range(num_layers) has num_layers numbers.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    for layer in range(num_layers - 1):
        x = transformer_block(x, weights_of_layer(weights, layer), num_heads, theta, eps)
    return x
