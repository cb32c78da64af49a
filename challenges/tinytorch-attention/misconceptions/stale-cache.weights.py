"""Something from an earlier call is used again.

What is kept between calls belongs to the call that it was made for: weights cut into heads at the first call are the old ones
after a step of training. All that this call needs is in its arguments and in the layer's Tensors, as they are now.
"""


def project_output(module, x):
    if not hasattr(module, "kept"):
        module.kept = module.out_proj.weight + 0.0
    return x @ module.kept + module.out_proj.bias
