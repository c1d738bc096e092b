"""Let programs of others read the OpenAPI document, and call a running Floe by it."""
