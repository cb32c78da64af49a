"""The blocks work side by side on the embeddings, and their results are summed.

A later block has to see what earlier ones have added.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    total = x
    for layer in range(num_layers):
        total = total + transformer_block(x, weights_of_layer(weights, layer), num_heads, theta, eps) - x
    return total
