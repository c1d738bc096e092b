"""Programs that `npm run bench` starts."""
