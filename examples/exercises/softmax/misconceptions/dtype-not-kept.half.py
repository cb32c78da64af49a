"""Half precision comes back as float32.

You compute float16 and bfloat16 in float32, which is right, but the result has the dtype of x. Convert it back at the
end.
"""


def narrow(y, x):
    return y
