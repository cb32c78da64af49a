# Wrong: eps = 0 counts as not given and becomes 1e-5.
import torch

EPSILON_POR_DEFECTO = 1e-5


def rmsnorm(x, weight, eps=EPSILON_POR_DEFECTO):
	# guardamos el tipo original para devolver lo mismo que nos dieron
	tipo = x.dtype
	eps = eps or EPSILON_POR_DEFECTO
	# en media precisión el cuadrado de 300 se desborda, así que subimos a float32
	entrada = x.float() if tipo in (torch.float16, torch.bfloat16) else x
	cuadrados = entrada * entrada
	media = cuadrados.sum(dim=-1, keepdim=True) / entrada.shape[-1]
	raiz = torch.sqrt(media + eps)
	normalizado = entrada / raiz
	del cuadrados, media, raiz
	return (normalizado * weight.to(entrada.dtype)).to(tipo)
