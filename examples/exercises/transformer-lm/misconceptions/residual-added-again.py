"""The embeddings are added to what each block gives.

A block has its residual paths within it. Around it there is no other.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    for layer in range(num_layers):
        x = x + transformer_block(x, weights_of_layer(weights, layer), num_heads, theta, eps)
    return x
