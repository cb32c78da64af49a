"""Is a challenge trustworthy? What `assay challenge verify` proves for its author: nothing here grades a student."""
