"""How `assay grade` writes reports: one module per format, each a pure function of reports. The full report: staff reads it."""
