"""Jobs for judges: dispatched, found when lost, requeued and given up in one way for every kind."""
