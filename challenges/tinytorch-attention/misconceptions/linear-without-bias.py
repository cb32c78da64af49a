"""A projection is made without a bias ({each}).

Each of the four is a Linear(embed_dim, embed_dim) with its bias: do not pass bias=False.
"""

EACH = {
    "all four": ("q_proj", "k_proj", "v_proj", "out_proj"),
    "q_proj k_proj v_proj": ("q_proj", "k_proj", "v_proj"),
    "q_proj": ("q_proj",),
    "k_proj": ("k_proj",),
    "v_proj": ("v_proj",),
    "out_proj": ("out_proj",),
}


def add_projections(module, embed_dim):
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        setattr(module, name, Linear(embed_dim, embed_dim, bias=name not in each))
