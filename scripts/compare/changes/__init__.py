"""Compare what Floe says changed between snapshots, and whom a change breaks."""
