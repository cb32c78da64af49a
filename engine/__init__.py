"""The student's command line: a REST client of an Assay server. Knows the report and nothing else of ours."""
