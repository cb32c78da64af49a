"""The graph is cut, and no gradient flows through.

A copy of a weight in nn.Linear, nn.Parameter or load_state_dict, .data, .detach(), .numpy() or no_grad: each makes a
new tensor with no link to the original. Use the tensors that you were given, in a plain x @ W.T.
"""


def project(x, weight):
    return x @ weight.detach().mT
