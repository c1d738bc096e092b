"""Comparisons of what Floe says with what official libraries say. `npm run compare` starts them."""
