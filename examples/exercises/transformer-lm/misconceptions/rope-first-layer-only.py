"""Only the first block rotates its queries and keys.

RoPE leaves no trace in what a block gives: every block has to rotate anew.
"""


def all_blocks(x, weights, num_layers, num_heads, theta, eps):
    x = transformer_block(x, weights_of_layer(weights, 0), num_heads, theta, eps)
    for layer in range(1, num_layers):
        x = transformer_block(x, weights_of_layer(weights, layer), num_heads, math.inf, eps)
    return x


def encode_positions(Q, K, V, theta):
    if theta == math.inf:
        return Q, K, V
    angles = pair_angles(torch.arange(Q.shape[-2]), Q.shape[-1], theta)
    return rotate(Q, angles), rotate(K, angles), V
