"""Queries and keys come from the normed x, values from x itself.

All three are projections of the same normed tensor.
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    z = rms_norm(x, weights["attn_norm.weight"], eps)
    Q, K = (split_heads(project(z, weights[f"attn.{role}_proj.weight"]), num_heads) for role in "qk")
    V = split_heads(project(x, weights["attn.v_proj.weight"]), num_heads)
    Q, K, V = encode_positions(Q, K, V, positions, theta)
    return x + project(merge_heads(softmax(hide_later(compare(Q, K))) @ V), weights["attn.o_proj.weight"])
