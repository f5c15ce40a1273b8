#!/usr/bin/env bash
# Installs what running and testing Cartoguide needs, says what it installs, and does it once.
# Debian packages need root; without root, or off Debian, one sentence says what to install.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tools=tests/tools
python=/usr/bin/python3
stamp=.venv/cartoguide-setup

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

wanted_state() {
    { "$python" -V 2>&1 || true; cat "$tools/debian-packages.txt" "$tools/requirements.txt" "$tools/setup.sh"; } | sha256sum | cut -d' ' -f1
}

state=$(wanted_state)
if [ -x .venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null || true)" = "$state" ]; then
    exit 0
fi

mkdir -p build
exec 9>build/setup.lock
if command -v flock >/dev/null; then flock 9; fi
if [ -x .venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null || true)" = "$state" ]; then
    exit 0
fi

listed() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$tools/debian-packages.txt"; }
installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]; }

# The entries of the list of which no alternative is installed.
missing_entries() {
    local entry name found
    listed | while read -r entry; do
        found=
        for name in ${entry//|/ }; do installed "$name" && found=1 && break; done
        [ -n "$found" ] || printf '%s\n' "$entry"
    done
}

# The first alternative that this release offers.
choose() {
    local name
    for name in ${1//|/ }; do
        if apt-cache show --no-all-versions "$name" >/dev/null 2>&1; then printf '%s\n' "$name"; return; fi
    done
    printf '%s\n' "${1%%|*}"
}

# Off Debian nothing is installed: what is needed either runs already, or is named.
check_elsewhere() {
    local lacking=() command module
    for command in qgis Xvfb xauth xdotool import pdftotext; do
        command -v "$command" >/dev/null || lacking+=("$command")
    done
    command -v mapserv >/dev/null || [ -x /usr/lib/cgi-bin/mapserv ] || lacking+=(mapserv)
    for module in qgis.core owslib lxml.etree osgeo.gdal pyproj numpy venv; do
        "$python" -c "import $module" >/dev/null 2>&1 || lacking+=("Python module $module")
    done
    [ ${#lacking[@]} -eq 0 ] || fail "this is not Debian or Ubuntu, so please install by your system's own means: $(IFS=,; echo "${lacking[*]}" | sed 's/,/, /g')."
}

install_debian_packages() {
    local missing packages=() entry
    missing=$(missing_entries)
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        fail "Debian packages are missing, please have root run: apt-get install --no-install-recommends $(echo $missing | sed -E 's/\|[^ ]+//g')"
    fi
    export DEBIAN_FRONTEND=noninteractive
    say "reading the package lists (apt-get update)"
    apt-get update -qq </dev/null || fail "apt-get update failed, so the missing packages cannot be installed; check the machine's package sources."
    for entry in $missing; do packages+=("$(choose "$entry")"); done
    say "installing Debian packages: ${packages[*]}"
    apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "${packages[@]}" </dev/null >build/apt.log 2>&1 || {
        tail -n 20 build/apt.log >&2
        fail "apt-get could not install them; the whole log is in build/apt.log."
    }
}

# The versions that QGIS runs with stay the ones that the tests run with.
system_versions() {
    "$python" - <<'PYTHON'
from importlib import metadata
for name in "lxml OWSLib numpy pyproj GDAL PyQt5 PyQt6 requests urllib3 Jinja2 MarkupSafe PyYAML python-dateutil psycopg2 shapely".split():
    try:
        print(f"{name}=={metadata.version(name)}")
    except metadata.PackageNotFoundError:
        pass
PYTHON
}

install_python_packages() {
    if ! .venv/bin/python -c 'import pip' >/dev/null 2>&1 || ! grep -qi 'include-system-site-packages *= *true' .venv/pyvenv.cfg; then
        say "making the Python environment .venv (with the system's packages, which are QGIS's)"
        "$python" -m venv --clear --system-site-packages .venv </dev/null
    fi
    # the system's pyproj looks for PROJ's data beside the Python that runs it
    mkdir -p .venv/share
    ln -sfn /usr/share/proj .venv/share/proj
    system_versions >.venv/system-versions.txt
    say "installing Python packages into .venv: $(sed -e 's/#.*//' -e '/^ *$/d' "$tools/requirements.txt" | tr '\n' ' ')"
    .venv/bin/python -m pip install -qq --disable-pip-version-check --no-input \
        -r "$tools/requirements.txt" -c .venv/system-versions.txt </dev/null ||
        fail "pip could not install them; a connection to the Python package index is needed once."
    # It asks for an older OWSLib than newer releases of QGIS bring: the test network mends what differs.
    .venv/bin/python -m pip install -qq --disable-pip-version-check --no-input --no-deps "pycsw==2.6.2" </dev/null ||
        fail "pip could not install pycsw; a connection to the Python package index is needed once."
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    install_debian_packages
else
    check_elsewhere
fi
[ -x "$python" ] || fail "please install Python 3 as $python, the one that QGIS uses."
install_python_packages
wanted_state >"$stamp"
say "done"
