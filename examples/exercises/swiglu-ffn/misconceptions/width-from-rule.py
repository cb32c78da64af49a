"""The inner width is taken from a rule instead of the weights.

8/3 of d_model is how many models choose d_ff. The weights that you are given may be of any width: read it off them.
"""


def hidden(x, w1, w3):
    width = max(1, 8 * x.shape[-1] // 3)
    return torch.nn.functional.pad(
        gated(project(x, w1[:width]), project(x, w3[:width])), (0, max(0, w1.shape[0] - width))
    )
