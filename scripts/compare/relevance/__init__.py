"""Measure how often a search puts first what a scientist means."""
