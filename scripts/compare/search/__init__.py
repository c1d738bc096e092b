"""Compare what callers find with a plain scan of all datasets that they may read."""
