"""What `npm run bench` measures beside Floe: official Icechunk, xarray and xpublish."""
