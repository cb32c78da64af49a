"""The angles are computed in {each}.

Half precision keeps only two or three digits, and a large angle uses them up before the decimal point: cosine and sine
are then those of a different angle. Multiply positions and frequencies in float32 or float64.
"""

EACH = {"bfloat16": "bfloat16", "float16": "float16"}


def pair_angles(d_k, theta, token_positions):
    dtype = getattr(torch, each)
    return (token_positions.to(dtype)[..., None] * pair_frequencies(d_k, theta).to(dtype)).to(torch.float64)
