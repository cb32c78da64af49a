def softmax(x, dim:
    return x
