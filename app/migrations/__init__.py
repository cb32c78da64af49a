"""The schema's history, one file per step. A step that has been released is never edited."""
