"""Everything is computed in {each}.

float32 has seven digits, float64 sixteen, float16 three and bfloat16 two; the result must have the accuracy of x, or at
least of float32. Convert x to float32 or better, and back at the end.
"""

EACH = {
    "bfloat16": ("bfloat16", False),
    "bfloat16 but for the squares": ("bfloat16", True),
    "float16": ("float16", False),
    "float16 but for the squares": ("float16", True),
}


def rmsnorm(x, weight, eps=1e-5):
    name, has_wide_squares = each
    half = x.to(getattr(torch, name))
    rms = root(mean_square(half.float() if has_wide_squares else half), eps).to(half.dtype)
    return narrow(apply_weight(half / rms, weight.to(half.dtype)), x)
