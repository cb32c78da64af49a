"""Small calls of mha-rope that may be shown, run after cases.py."""

# From small to large: the first that goes wrong in a student's code is shown, so each adds one thing.
EXAMPLE_SIZES = (
    {"seq": 2, "heads": 1, "d_head": 2},
    {"seq": 2, "heads": 2, "d_head": 2},
    {"seq": 3, "heads": 2, "d_head": 2, "batch": (2,)},
    {"seq": 3, "heads": 2, "d_head": 4, "theta": 100.0},
    {"seq": 3, "heads": 1, "d_head": 2, "positions": torch.tensor([5, 0, 2])},
    {"seq": 2, "heads": 2, "d_head": 2, "batch": (3,), "positions": torch.tensor([[5, 0], [1, 2], [3, 7]])},
    {"seq": 2, "heads": 2, "d_head": 2, "batch": (2, 1)},
    {"seq": 2, "heads": 1, "d_head": 2, "scale": 60},
    {"seq": 2, "heads": 1, "d_head": 2, "dtype": torch.float64},
)


def example(
    draw: Draw,
    *,
    seq: int,
    heads: int,
    d_head: int,
    batch: tuple[int, ...] = (),
    theta: float = 10_000.0,
    positions: Tensor | list | None = None,  # a list where a question describes an input
    scale: float = 1,
    dtype: torch.dtype = torch.float32,
) -> Call:
    """A call that is small enough to be read. Nothing of a paper is in it."""
    d_model = heads * d_head
    weights = {name: draw.normal(d_model, d_model, dtype=dtype) for name in WEIGHTS}
    weights["q_proj_weight"] = weights["q_proj_weight"] * scale
    arguments = {"d_model": d_model, "num_heads": heads, "max_seq_len": 8, "theta": theta, **weights}
    arguments["in_features"] = draw.normal(*batch, seq, d_model, dtype=dtype)
    if positions is not None:
        arguments["token_positions"] = torch.as_tensor(positions)
    return Call("", MHA, arguments)
