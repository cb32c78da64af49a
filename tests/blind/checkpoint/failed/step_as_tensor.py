"""The step comes back as a tensor instead of an int."""
import torch


def save_checkpoint(model, optimizer, step, out, **extra):
    # the step goes into the state dict as well, as a tensor
    state = {f"model/{k}": v for k, v in model.state_dict().items()}
    state["step"] = torch.tensor(step, dtype=torch.int64)
    torch.save([state, optimizer.state_dict(), extra], out)


def load_checkpoint(src, model, optimizer):
    state, opt, _ = torch.load(src)
    step = state.pop("step")
    missing = model.load_state_dict({k.removeprefix("model/"): v for k, v in state.items()})
    print(missing)
    optimizer.load_state_dict(opt)
    return step
