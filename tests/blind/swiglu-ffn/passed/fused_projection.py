import torch
import torch.nn.functional as F


def swiglu_ffn(x, w1, w2, w3):
    # one product for both branches, then cut it in two
    both = F.linear(x, torch.cat([w1, w3], dim=0))
    a, b = both.chunk(2, dim=-1)
    return F.linear(torch.sigmoid(a) * a * b, w2)


if __name__ == "__main__":
    import math

    x = torch.tensor([math.log(3), 4.0])
    print(swiglu_ffn(x, torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0], [-1.0]]), torch.tensor([[0.0, 2.0]])))
