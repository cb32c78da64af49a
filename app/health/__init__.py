"""What operators and their probes ask."""
