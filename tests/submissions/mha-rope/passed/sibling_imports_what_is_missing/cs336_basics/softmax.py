import pandas


def softmax(x, dim):
    return x
