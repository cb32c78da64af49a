"""{each} has no bias.

Each of the four projections is a Linear(embed_dim, embed_dim), with bias. The bias of the keys makes no difference to
the result, but it is required, and parameters() lists it. Remove bias=False, and check the other projections too.
"""

EACH = {
    "q_proj": ("q_proj", "k_proj", "v_proj", "out_proj"),
    "k_proj": ("k_proj",),
    "v_proj": ("v_proj",),
    "out_proj": ("out_proj",),
}


def add_projections(module, embed_dim):
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        setattr(module, name, Linear(embed_dim, embed_dim, bias=name not in each))
