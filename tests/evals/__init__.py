"""Evals: cases, engines, a rubric and a report for human judgement."""
