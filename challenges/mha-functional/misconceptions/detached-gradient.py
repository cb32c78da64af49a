"""The graph is cut, and no gradient flows through.

Copying a weight (into an nn.Linear or nn.Parameter, or with load_state_dict), .data, .detach(), .numpy() and no_grad
all make a new tensor with no link to the original. Use the tensors that you were given, in a plain x @ W.T.
"""


def project(x, weight):
    return x @ weight.detach().mT
