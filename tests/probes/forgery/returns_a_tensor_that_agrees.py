"""Returns tensors that are equal to whatever they are compared with.
Expect: failed|error
"""
# layer: judge

class Agreeable(torch.Tensor):
    def __eq__(self, other):
        return torch.ones(self.shape, dtype=torch.bool)

    def __ne__(self, other):
        return torch.zeros(self.shape, dtype=torch.bool)

    def __sub__(self, other):
        return torch.zeros(self.shape)

    __rsub__ = __sub__
    __hash__ = torch.Tensor.__hash__


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
