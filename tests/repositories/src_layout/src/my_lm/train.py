import argparse

import torch
import wandb
from loguru import logger
from tqdm.auto import tqdm

from my_lm.tokenizer import Tokenizer

logger.add("train.log")


@logger.catch
def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=1000)
    args = parser.parse_args()
    wandb.init(project="lm", config=vars(args))
    for step in tqdm(range(args.steps)):
        wandb.log({"step": step})


if __name__ == "__main__":
    main()
