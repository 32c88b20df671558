"""Evals: cases, an engine, a rubric, and a report by which a person can judge."""
