"""Small calls of transformer-block that may be shown, run after cases.py."""

EXAMPLE_CALL = """weights = {
    "attn_norm.weight": attn_norm_weight,
    "attn.q_proj.weight": q_proj_weight,
    "attn.k_proj.weight": k_proj_weight,
    "attn.v_proj.weight": v_proj_weight,
    "attn.o_proj.weight": o_proj_weight,
    "ffn_norm.weight": ffn_norm_weight,
    "ffn.w1.weight": w1_weight,
    "ffn.w2.weight": w2_weight,
    "ffn.w3.weight": w3_weight,
}
output = transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions, eps)"""
# From small to large: the first that goes wrong in a student's code is shown, so each adds one thing.
EXAMPLE_SIZES = (
    {"seq": 1},
    {"seq": 2},
    {"seq": 2, "heads": 2},
    {"seq": 2, "d_ff": 3, "batch": (2,)},
    {"seq": 2, "eps": 0.5},
    {"seq": 3, "positions": torch.tensor([5, 0, 2])},
    {"seq": 2, "heads": 2, "batch": (3,), "positions": torch.tensor([[5, 0], [1, 2], [3, 7]])},
    {"seq": 2, "size": 0.001},
)


def example(
    draw: Draw,
    *,
    seq: int,
    heads: int = 1,
    d_ff: int = 2,
    batch: tuple[int, ...] = (),
    eps: float = DEFAULT,
    positions: Tensor | list | None = None,  # a list where a question describes an input
    size: float = 1.0,
) -> Call:
    """A call that is small enough to be read. Nothing of a paper is in it."""
    d_model = 2 * heads
    given = None if positions is None else torch.as_tensor(positions)
    arguments = {"x": size * draw.normal(*batch, seq, d_model), "num_heads": heads, "max_seq_len": 8, "theta": 100.0}
    arguments |= {"token_positions": given, "eps": eps}
    arguments |= {name: draw.normal(d_model) for name in NORMS}
    arguments |= {name: draw.normal(d_model, d_model) for name in ATTENTION}
    arguments |= {"w1_weight": draw.normal(d_ff, d_model), "w2_weight": draw.normal(d_model, d_ff)}
    return Call("", BLOCK, arguments | {"w3_weight": draw.normal(d_ff, d_model)})
