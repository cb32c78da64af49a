def turn(x):
    return x
