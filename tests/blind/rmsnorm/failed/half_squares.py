"""RMSNorm that squares in the dtype of x.

Idea: The squares are taken in the dtype of the input, and overflow in float16.
Where: only for float16 (large values, and small ones that vanish)
"""

def rmsnorm(x, weight, eps=1e-5):
    squares = x**2
    rms = (squares.mean(dim=-1, keepdim=True) + eps).sqrt()
    return x / rms * weight
