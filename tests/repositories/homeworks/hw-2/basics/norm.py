raise RuntimeError("not the one of the first homework")
