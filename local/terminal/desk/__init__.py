"""Tasks, runs and health in the terminal."""
