"""Your code starts a new document where the positions {each}.

Tokens can then only attend within what your code takes to be their document. Nothing says that several documents are
packed into one sequence: positions rotate queries and keys, and hide nothing.
"""

EACH = {
    "fall": (0, 1000000),
    "do not rise": (1, 1000000),
    "do not rise by one": (1, 1),
    "leap": (-1000000, 1),
    "leap by ten or more": (-1000000, 9),
    "leap by more than ten": (-1000000, 10),
}


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    check_heads(d_model, num_heads)
    positions = resolve_positions(token_positions, in_features)
    projected = project_qkv(in_features, q_proj_weight, k_proj_weight, v_proj_weight)
    Q, K, V = (split_heads(x, num_heads) for x in projected)
    Q, K, V = encode_positions(Q, K, V, theta, max_seq_len, positions)
    least, most = each
    step = make_room_for_heads(positions).diff(dim=-1)
    document = torch.nn.functional.pad(((step < least) | (step > most)).cumsum(-1), (1, 0))
    may_see = document[..., :, None] == document[..., None, :]
    return project_output(merge_heads(scaled_dot_product_attention(Q, K, V, may_see)), o_proj_weight)
