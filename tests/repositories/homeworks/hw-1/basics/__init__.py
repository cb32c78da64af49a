from basics.norm import rmsnorm
