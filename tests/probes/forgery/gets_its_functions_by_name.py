"""Serves its functions by a module's __getattr__, other ones each time.
Expect: failed|error
"""
# layer: judge

for name in ("rope", "scaled_dot_product_attention", "multihead_self_attention_with_rope"):
    globals()["_" + name] = globals().pop(name)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return globals()["_" + name]
