"""The weights of queries and keys are swapped.

attn.q_proj.weight asks, attn.k_proj.weight answers. Under a causal mask it matters which is which.
"""


def self_attention(z, weights, num_heads, theta, positions):
    projected = (project(z, weights[f"attn.{role}_proj.weight"]) for role in "kqv")
    Q, K, V = (split_heads(x, num_heads) for x in projected)
    Q, K, V = encode_positions(Q, K, V, positions, theta)
    return project(merge_heads(softmax(hide_later(compare(Q, K))) @ V), weights["attn.o_proj.weight"])
