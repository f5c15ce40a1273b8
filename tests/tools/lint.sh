#!/usr/bin/env bash
# All static checks; each runs whatever the others say, the last line sums up.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bin=.venv/bin
failed=()

check() {
    local name=$1
    shift
    if "$@"; then printf '%-15s ok\n' "$name"; else printf '%-15s FAILED\n' "$name"; failed+=("$name"); fi
}

# What the plugin site's scan for secrets would find in the files that are packaged.
secrets() {
    local report
    report=$("$bin/python" tests/tools/package.py --list | xargs -d '\n' "$bin/detect-secrets" scan) || return 1
    "$bin/python" -c '
import json, sys
results = json.loads(sys.argv[1])["results"]
for path, found in sorted(results.items()):
    for secret in found:
        print(path + ":" + str(secret["line_number"]), secret["type"])
sys.exit(bool(results))' "$report"
}

check ruff "$bin/ruff" check --quiet --output-format=concise .
check mypy "$bin/python" -m mypy --no-error-summary
check bandit "$bin/bandit" --quiet --recursive plugin __init__.py
check detect-secrets secrets
check package "$bin/python" tests/tools/package.py --check

if [ ${#failed[@]} -gt 0 ]; then
    echo "lint: failed: ${failed[*]}"
    exit 1
fi
echo "lint: all clean"
