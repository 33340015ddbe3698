#!/bin/bash
# Every experiment on every chip of tests/drivers/chips.toml, or on those in PERCYCLE_CHIPS. Not in
# tools/test's default: tools/test -L drivers.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/drivers_common.sh
source "$source_dir/tests/cli/drivers_common.sh"

# shellcheck disable=SC2154,SC2086 # drivers_common.sh; words
python3 "$source_dir/tests/drivers/run_chips.py" "$there" "" ${PERCYCLE_CHIPS:-all} -- "${enter[@]}"
