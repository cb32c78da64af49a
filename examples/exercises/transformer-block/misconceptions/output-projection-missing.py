"""The merged heads are not multiplied by attn.o_proj.weight.

The output projection mixes what the heads found.
"""


def self_attention(z, weights, num_heads, theta, positions):
    projected = (project(z, weights[f"attn.{role}_proj.weight"]) for role in "qkv")
    Q, K, V = (split_heads(x, num_heads) for x in projected)
    Q, K, V = encode_positions(Q, K, V, positions, theta)
    return merge_heads(softmax(hide_later(compare(Q, K))) @ V)
