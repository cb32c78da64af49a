"""What is hidden depends on token_positions instead of the order of x.

Positions only say how far RoPE turns. A token sees what stands before it in the sequence, whatever position it has.
"""


def self_attention(z, weights, num_heads, theta, positions):
    projected = (project(z, weights[f"attn.{role}_proj.weight"]) for role in "qkv")
    Q, K, V = (split_heads(x, num_heads) for x in projected)
    Q, K, V = encode_positions(Q, K, V, positions, theta)
    later = make_room_for_heads(positions)
    hidden = later.unsqueeze(-2) > later.unsqueeze(-1)
    context = softmax(compare(Q, K).masked_fill(hidden, -math.inf)) @ V
    return project(merge_heads(context), weights["attn.o_proj.weight"])
