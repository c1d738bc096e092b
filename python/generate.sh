#!/bin/sh
# Writes the Python package floe_client from the OpenAPI document, beside floe.py or in the directory that is given.
# PYTHON names a Python with the packages of requirements.txt; otherwise it is python3.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=$(command -v "${PYTHON:-python3}")
# The generator formats with ruff, which is installed beside Python.
PATH=$(dirname "$python"):$PATH
exec "$python" -m openapi_python_client generate --fail-on-warning --overwrite --meta none \
  --path "$here/../contract/openapi.json" --output-path "${1:-$here}/floe_client"
