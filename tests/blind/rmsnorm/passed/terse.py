def rmsnorm(x,w,e=1e-5):
    z=x.float();return(z*((z*z).mean(-1,True)+e)**-.5*w.float()).to(x.dtype)
