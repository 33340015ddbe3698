#!/bin/bash
# The generated blocks of README.md and docs/ match this binary, links are valid, and the README is
# short. usage: docs.sh PERCYCLE
exec "$PERCYCLE_SOURCE/tools/docs" --check "$1"
