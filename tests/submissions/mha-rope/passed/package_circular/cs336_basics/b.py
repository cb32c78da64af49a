def name():
    from cs336_basics.a import rope
    return rope.__name__
