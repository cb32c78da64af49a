"""Why is it wrong? The mistake that gives just these outcomes, where in the code to look, and what to try."""
