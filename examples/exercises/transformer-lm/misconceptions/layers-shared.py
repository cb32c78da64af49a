"""All blocks use the weights of layer 0.

The model is as deep as it should be, and every block is the same one. Look the weights up by the number of the layer.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    for _ in range(num_layers):
        x = transformer_block(x, weights_of_layer(weights, 0), num_heads, theta, eps)
    return x
