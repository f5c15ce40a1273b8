#!/usr/bin/env bash
# Installs what Cartoguide needs, says what it installs, and does it once.
#
#   setup.sh run     QGIS, the test network, translations
#   setup.sh test    all of that, and what only the tests need; this is the default
#
# Debian packages need root. Without root it offers sudo, goes on where QGIS is already there, or says what to install.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

group=${1:-test}
tools=tests/tools
python=${QGIS_PYTHON:-/usr/bin/python3}
stamp=build/setup-$group
[ "$group" = run ] || [ "$group" = test ] || { echo "setup: run or test" >&2; exit 2; }

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

wanted_state() {
    { "$python" -V 2>&1 || true; echo "${QGIS_PREFIX:-}"; cat "$tools/debian-packages.txt" "$tools"/requirements*.txt "$tools/locked.txt" "$tools/setup.sh"; } | sha256sum | cut -d' ' -f1
}

# The environment of the tests works with the Python that QGIS uses now, not with one that has been replaced since.
environment_fits() {
    [ -x .venv/bin/python ] &&
        [ "$(.venv/bin/python -c 'import sys; print(sys.version_info[:2])' 2>/dev/null)" = "$("$python" -c 'import sys; print(sys.version_info[:2])')" ] &&
        grep -qi 'include-system-site-packages *= *true' .venv/pyvenv.cfg
}

# what the tests need holds what running needs
is_done() { [ -n "$(cat "$stamp" "build/setup-test" 2>/dev/null | grep -Fx "$(wanted_state)")" ] && environment_fits; }

is_done && exit 0
mkdir -p build
exec 9>build/setup.lock
if command -v flock >/dev/null; then flock 9; fi
is_done && exit 0

listed() {
    sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$tools/debian-packages.txt" |
        awk -v group="$group" '/^\[/ { wanted = ($0 == "[run]" || group == "test"); next } wanted' |
        # a QGIS of one's own is not covered by another one
        { if [ -n "${QGIS_PREFIX:-}" ]; then grep -vxE 'qgis|python3-qgis|qgis-server'; else cat; fi; }
}
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

has_qgis() { command -v qgis >/dev/null && "$python" -c 'import qgis.core' >/dev/null 2>&1; }

# Off Debian nothing is installed: what is needed either runs already, or is named.
check_elsewhere() {
    local lacking=() command module commands="qgis" modules="qgis.core owslib lxml.etree osgeo.gdal numpy jinja2 markdown"
    if [ "$group" = test ]; then
        commands="qgis Xvfb xauth xdotool import pdftotext"
        modules="$modules pyproj venv"
    fi
    for command in $commands; do
        command -v "$command" >/dev/null || lacking+=("$command")
    done
    command -v mapserv >/dev/null || [ -x /usr/lib/cgi-bin/mapserv ] || lacking+=(mapserv)
    for module in $modules; do
        "$python" -c "import $module" >/dev/null 2>&1 || lacking+=("Python module $module")
    done
    [ ${#lacking[@]} -eq 0 ] || fail "this is not Debian or Ubuntu, so please install by your system's own means: $(IFS=,; echo "${lacking[*]}" | sed 's/,/, /g')."
}

# How packages are installed: as root, by sudo where a person agrees, or not at all.
installer() {
    local answer
    if [ "$(id -u)" -eq 0 ]; then echo env; return; fi
    if command -v sudo >/dev/null && [ -t 0 ] && [ -t 2 ]; then
        printf 'setup: install missing packages with sudo (%s)? [Y/n] ' "$*" >&2
        read -r answer
        case $answer in [nN]*) ;; *) echo "sudo env"; return ;; esac
    fi
}

install_debian_packages() {
    local missing packages=() entry run
    missing=$(missing_entries)
    [ -n "$missing" ] || return 0
    run=$(installer $(echo $missing | sed -E 's/\|[^ ]+//g'))
    if [ -z "$run" ]; then
        local command="apt-get install --no-install-recommends $(echo $missing | sed -E 's/\|[^ ]+//g')"
        if [ "$group" = run ] && has_qgis; then
            say "QGIS is there, so it is started; for all of the demonstration have root run: $command"
            return 0
        fi
        fail "Debian packages are missing, please have root run: $command"
    fi
    say "reading the package lists (apt-get update)"
    $run DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null || fail "apt-get update failed, so the missing packages cannot be installed; check the machine's package sources."
    for entry in $missing; do packages+=("$(choose "$entry")"); done
    say "installing Debian packages: ${packages[*]}"
    $run DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "${packages[@]}" </dev/null >build/apt.log 2>&1 || {
        tail -n 20 build/apt.log >&2
        fail "apt-get could not install them; the whole log is in build/apt.log."
    }
}

# The part of a lock that is installed: the versions that QGIS runs with stay the ones that the tests run with.
wanted_of_lock() {
    "$python" - "$1" <<'PYTHON'
import re
import sys
from importlib import metadata
kept = ("lxml owslib numpy pyproj gdal pyqt5 pyqt6 pyqt6-sip requests urllib3 jinja2 markdown markupsafe pyyaml python-dateutil psycopg2 shapely "
        "attrs certifi chardet charset-normalizer idna jsonschema pyparsing six").split()
system = set()
for name in kept:
    try:
        metadata.version(name)
        system.add(name)
    except metadata.PackageNotFoundError:
        pass
# a second Qt 6 beside the one that QGIS is linked with would end the process
system |= {"pyqt6-sip", "pyqt6-qt6"} if "pyqt6" in system else set()
for entry in re.split(r"(?m)^(?=[A-Za-z0-9])", open(sys.argv[1], encoding="utf-8").read())[1:]:
    if re.match(r"[\w.-]+", entry)[0].lower() not in system:
        print(entry, end="")
PYTHON
}

pip_install() { .venv/bin/python -m pip install -qq --disable-pip-version-check --no-input "$@" </dev/null; }

install_python_packages() {
    local lock=$tools/locked.txt
    [ "$group" = test ] || lock=$tools/locked-run.txt
    if ! .venv/bin/python -c 'import pip' >/dev/null 2>&1 || ! environment_fits; then
        say "making the Python environment .venv (with the system's packages, which are QGIS's)"
        "$python" -m venv --clear --system-site-packages .venv </dev/null || return
    fi
    # the system's pyproj looks for PROJ's data beside the Python that runs it
    mkdir -p .venv/share
    ln -sfn /usr/share/proj .venv/share/proj
    wanted_of_lock "$lock" >.venv/locked.txt || return
    # one that was installed for a QGIS on Qt 5 would hide the PyQt6 of a QGIS on Qt 6
    ! "$python" -c 'import PyQt6' 2>/dev/null ||
        .venv/bin/python -m pip uninstall -qq -y PyQt6 PyQt6-Qt6 PyQt6-sip >/dev/null 2>&1 || true
    say "installing Python packages into .venv: $(sed -nE 's/^([A-Za-z0-9][A-Za-z0-9._-]*).*/\1/p' .venv/locked.txt | paste -sd ' ')"
    # The lock is complete. pycsw, which is part of it, asks for an older OWSLib than newer releases of QGIS bring: the
    # test network mends what differs.
    pip_install --no-deps --require-hashes -r .venv/locked.txt
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    install_debian_packages
else
    check_elsewhere
fi
[ -x "$python" ] || fail "please install Python 3 as $python, the one that QGIS uses."
if [ -n "${QGIS_PREFIX:-}" ] && ! "$python" -c 'import qgis.core' 2>build/qgis.log; then
    tail -n 1 build/qgis.log >&2
    fail "$python finds no QGIS in $QGIS_PREFIX (QGIS_PREFIX): make run and make test set the paths, this script alone does not."
fi
if ! install_python_packages; then
    [ "$group" = run ] || fail "Python packages could not be installed; a connection to the Python package index is needed once."
    say "the test network runs without its catalogue search: its Python packages could not be installed"
    exit 0
fi
wanted_state >"$stamp"
say "done"
