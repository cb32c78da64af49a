"""The input is added to the result.

The residual connection belongs in the block around the attention: return the output of out_proj.
"""


def merge_heads_and_project(module, x, heads):
    return project_output(module, merge_heads(heads)) + x


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        check_heads(embed_dim, num_heads)
        set_sizes(self, embed_dim, num_heads)
        add_projections(self, embed_dim)

    def forward(self, x, mask=None):
        Q, K, V = (split_heads(projected, self.num_heads) for projected in project_qkv(self, x))
        return merge_heads_and_project(self, x, attend(Q, K, V, mask_for_heads(mask)))

    def parameters(self):
        return list_parameters(self)
