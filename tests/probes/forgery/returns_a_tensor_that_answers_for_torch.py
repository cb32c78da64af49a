"""Returns tensors that answer torch's own functions: equal, close, no difference.
Expect: failed|error
"""
# layer: judge

class Agreeable(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, arguments=(), more=None):
        if function.__name__ in ("equal", "allclose", "isclose", "all", "eq"):
            return torch.tensor(True)
        if function.__name__ in ("sub", "abs", "max", "amax"):
            return torch.tensor(0.0)
        return super().__torch_function__(function, types, arguments, more or {})


one, two, three = rope, scaled_dot_product_attention, multihead_self_attention_with_rope


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return one(d_k, theta, max_seq_len, in_query_or_key, token_positions).as_subclass(Agreeable)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return two(Q, K, V, mask).as_subclass(Agreeable)


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
    weights = (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight)
    returned = three(d_model, num_heads, max_seq_len, theta, *weights, in_features, token_positions)
    return returned.as_subclass(Agreeable)
