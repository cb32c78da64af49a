"""Small calls of transformer-lm that may be shown, run after cases.py."""

EXAMPLE_CALL = """weights = {
    "token_embeddings.weight": token_embeddings_weight,
    "final_norm.weight": final_norm_weight,
    "lm_head.weight": lm_head_weight,
}
for i in range(num_layers):
    weights[f"layers.{i}.attn_norm.weight"] = attn_norm_weight[i]
    weights[f"layers.{i}.attn.q_proj.weight"] = q_proj_weight[i]
    weights[f"layers.{i}.attn.k_proj.weight"] = k_proj_weight[i]
    weights[f"layers.{i}.attn.v_proj.weight"] = v_proj_weight[i]
    weights[f"layers.{i}.attn.o_proj.weight"] = o_proj_weight[i]
    weights[f"layers.{i}.ffn_norm.weight"] = ffn_norm_weight[i]
    weights[f"layers.{i}.ffn.w1.weight"] = w1_weight[i]
    weights[f"layers.{i}.ffn.w2.weight"] = w2_weight[i]
    weights[f"layers.{i}.ffn.w3.weight"] = w3_weight[i]
output = transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps)"""
# From small to large: the first that goes wrong in a student's code is shown, so each adds one thing.
EXAMPLE_SIZES = (
    {"tokens": [1]},
    {"tokens": [1, 0]},
    {"tokens": [1, 0], "layers": 2},
    {"tokens": [1, 0], "heads": 2},
    {"tokens": [[1, 0], [2, 2]], "d_ff": 3},
    {"tokens": [1, 0], "eps": 0.5},
    {"tokens": [1, 0], "vocab": 2},
    {"tokens": [1, 0], "size": 0.001},
    {"tokens": [1], "layers": 11},
)


def example(
    draw: Draw,
    *,
    tokens: list,
    layers: int = 1,
    vocab: int = 3,
    heads: int = 1,
    d_ff: int = 2,
    eps: float = DEFAULT,
    size: float = 1.0,
) -> Call:
    """A call that is small enough to be read. Nothing of a paper is in it."""
    d_model = 2 * heads
    arguments = {"token_ids": torch.tensor(tokens), "num_layers": layers, "num_heads": heads, "max_seq_len": 8}
    arguments |= {"theta": 100.0, "eps": eps, "token_embeddings_weight": size * draw.normal(vocab, d_model)}
    arguments |= {"final_norm_weight": draw.normal(d_model), "lm_head_weight": draw.normal(vocab, d_model)}
    arguments |= {name: draw.normal(layers, d_model) for name in NORMS}
    arguments |= {name: draw.normal(layers, d_model, d_model) for name in ATTENTION}
    arguments |= {name: draw.normal(layers, d_ff, d_model) for name in ("w1_weight", "w3_weight")}
    return Call("", MODEL, arguments | {"w2_weight": draw.normal(layers, d_model, d_ff)})
