swiglu_ffn = lambda x, w1, w2, w3: ((g := x @ w1.mT) * g.sigmoid() * (x @ w3.mT)) @ w2.mT
