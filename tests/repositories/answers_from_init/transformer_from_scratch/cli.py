import typer
from rich.console import Console

app = typer.Typer(help="Train and sample.")
console = Console()


@app.command()
def sample(prompt: str = typer.Argument(...), length: int = 100):
    console.print(prompt, length)
