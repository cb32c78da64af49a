"""The blocks run from the last to the first.

Block 0 comes right after the embeddings, and the last one right before the final norm.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    for layer in reversed(range(num_layers)):
        x = transformer_block(x, weights_of_layer(weights, layer), num_heads, theta, eps)
    return x
