"""w2 and w3 are taken for each other.

The numbers follow the paper, not the order of use: w1 and w3 project up, w2 projects down. With d_ff = d_model both orders
run.
"""


def swiglu_ffn(x, w1, w2, w3):
    return down(hidden(x, w1, w2), w3)
