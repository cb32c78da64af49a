import torch
def save_checkpoint(m, o, s, f): torch.save([m.state_dict(), o.state_dict(), s], f)
def load_checkpoint(f, m, o):
    a, b, s = torch.load(f)
    m.load_state_dict(a); o.load_state_dict(b)
    return s
