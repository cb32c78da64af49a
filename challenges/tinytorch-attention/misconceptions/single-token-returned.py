"""A single token is returned {each}.

A single token can only attend to itself: the result is its value, after v_proj and out_proj. Make no exception for it.
"""

EACH = {"as it came": "x", "as its projected value, without out_proj": "value"}


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        check_heads(embed_dim, num_heads)
        set_sizes(self, embed_dim, num_heads)
        add_projections(self, embed_dim)

    def forward(self, x, mask=None):
        if x.shape[1] == 1:
            return x * 1.0 if each == "x" else project_qkv(self, x)[2]
        Q, K, V = (split_heads(projected, self.num_heads) for projected in project_qkv(self, x))
        return project_output(self, merge_heads(attend(Q, K, V, mask_for_heads(mask))))

    def parameters(self):
        return list_parameters(self)
