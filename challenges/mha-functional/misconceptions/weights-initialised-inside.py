"""The function makes weights of its own.

An nn.Linear made inside starts from random numbers, so nobody can say what should come out. The weights are handed to
you as in_proj_weight and out_proj_weight: multiply by those, and make none.
"""


def project_inputs(q, k, v, in_proj_weight):
    with torch.random.fork_rng():
        torch.manual_seed(42)
        layers = [torch.nn.Linear(q.shape[-1], q.shape[-1], bias=False).to(q.dtype) for _ in range(3)]
    return tuple(layer(x) for layer, x in zip(layers, (q, k, v), strict=True))


def project_output(merged, out_proj_weight):
    with torch.random.fork_rng():
        torch.manual_seed(43)
        layer = torch.nn.Linear(merged.shape[-1], merged.shape[-1], bias=False).to(merged.dtype)
    return layer(merged)
