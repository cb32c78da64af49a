"""The final norm stands behind every block.

It stands once, behind the last one. Between blocks nothing is on the residual path.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    for layer in range(num_layers):
        x = transformer_block(x, weights_of_layer(weights, layer), num_heads, theta, eps)
        x = x if layer == num_layers - 1 else final_norm(x, weights, eps)
    return x
