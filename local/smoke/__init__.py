"""Smoke test of a deployment, from outside: `make smoke`. docs/first-deploy.md describes each step."""
