"""Compare the boxes of projected areas with those of PROJ."""
