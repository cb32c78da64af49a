"""How `assay grade` writes reports: pure functions of reports. Staff reads them, so nothing is left out."""
