"""Layers run in the order of their names: 0, 1, 10, 11, 2, ...

As text, 10 comes before 2. Count with range(num_layers).
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    for layer in sorted(range(num_layers), key=str):
        x = transformer_block(x, weights_of_layer(weights, layer), num_heads, theta, eps)
    return x
