def merge_heads(t):
    return t.transpose(-3, -2).flatten(-2)
