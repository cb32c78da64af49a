"""The function creates its own weights.

An nn.Linear created inside starts from random numbers, so the result is random too. The weights are passed in as
in_proj_weight and out_proj_weight: multiply by those, and create none.
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
