#!/usr/bin/env bash
# Runs the whole test suite on the QGIS of several Debian releases, each in a debootstrap folder (as root) or else,
# where Docker runs, in a qgis/qgis container.
#
#     matrix.sh [release …]      default: trixie (QGIS 3.40) and forky (3.44); bookworm has 3.22
#
# As root it needs debootstrap (installed when missing). The folders are kept, so that a second run is quick;
# MIRROR names another mirror of Debian, MATRIX_FOLDER another place than build/matrix (about 3 GB each), ARGS are passed on to pytest.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# where this machine's own Debian packages come from
own_mirror() { apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -m1 '/debian/*$'; }
mirror=${MIRROR:-$(own_mirror || true)}
folder=${MATRIX_FOLDER:-build/matrix}
releases=("$@")
[ ${#releases[@]} -gt 0 ] || releases=(trixie forky)

fail() { printf 'matrix: %s\n' "$*" >&2; exit 1; }

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
summary=()
status=0

# what the suite said of a release; where it failed, the end of its log too
sum_up() {
    local release=$1 version=$2 result=$3 log=$folder/$1-test.log
    if [ "$result" -ne 0 ]; then
        status=1
        tail -n 200 "$log"
    fi
    summary+=("$(printf '%-10s QGIS %-22s %s' "$release" "$version" "$(grep "tests passed: " "$log" || tail -n 1 "$log")")")
}

# The QGIS project's own images are named by QGIS's version, not by Debian's.
image_of() {
    case $1 in
        bookworm) echo qgis/qgis:3.22 ;;
        trixie) echo qgis/qgis:3.40 ;;
        forky) echo qgis/qgis:3.44 ;;
        *) fail "no image is known for $1." ;;
    esac
}

if [ "$(id -u)" -ne 0 ]; then
    docker info >/dev/null 2>&1 || fail "debootstrap needs root: please run it as root, or where Docker runs."
    for release in "${releases[@]}"; do
        image=$(image_of "$release") || exit 1
        echo "matrix: make test in $image (log: $folder/$release-test.log)"
        git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- -cf - |
            docker run --rm -i -e LC_ALL=C.UTF-8 "$image" bash -c 'mkdir -p /srv/cartoguide && cd /srv/cartoguide && tar -xf - &&
                git init -q . && exec make --no-print-directory test ARGS="$0" </dev/null' "${ARGS:-}" >"$folder/$release-test.log" 2>&1
        sum_up "$release" "$image" $?
    done
    printf '%s\n' "${summary[@]}"
    exit $status
fi

# in a mount namespace of its own, nothing that is mounted outlives this script, however it ends
[ -n "${MATRIX_MOUNTS:-}" ] || MATRIX_MOUNTS=own exec unshare --mount "$PWD/tests/tools/matrix.sh" "${releases[@]}"
if ! command -v debootstrap >/dev/null; then
    command -v apt-get >/dev/null || fail "please install debootstrap."
    echo "matrix: installing debootstrap"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap; } </dev/null >/dev/null ||
        fail "debootstrap could not be installed."
fi

# A release newer than this debootstrap knows is made by the same script as all of them.
bootstrap() {
    local release=$1 root=$2 attempt script=/usr/share/debootstrap/scripts/sid
    [ -e "/usr/share/debootstrap/scripts/$release" ] && script=
    echo "matrix: making Debian $release in $root"
    for attempt in 1 2; do
        rm -rf --one-file-system "$root.part"
        # $script is one argument or none
        # shellcheck disable=SC2086
        debootstrap --variant=minbase --include=ca-certificates,make,git "$release" "$root.part" "$mirror" $script \
            </dev/null >"$root.log" 2>&1 && mv "$root.part" "$root" && return
        echo "matrix: debootstrap of $release failed (attempt $attempt), see $root.log"
    done
    tail -n 20 "$root.log"
    fail "Debian $release could not be made."
}

# What a program in the folder expects of a running system.
enter() {
    local root=$1
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"
    mountpoint -q "$root/dev/shm" || mount --bind /dev/shm "$root/dev/shm" 2>/dev/null || true
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    # a bare folder does not know its own name for 127.0.0.1
    grep -qs localhost "$root/etc/hosts" || echo "127.0.0.1 localhost" >>"$root/etc/hosts"
    # the machine's own way to the package sources: proxies, checks, certificates, pip's settings
    [ -f /etc/pip.conf ] && cp /etc/pip.conf "$root/etc/pip.conf"
    [ -f /etc/ssl/certs/ca-certificates.crt ] && cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    grep -ls '^ *Acquire' /etc/apt/apt.conf.d/* | xargs -r cp -t "$root/etc/apt/apt.conf.d"
}

leave() {
    local root=$1
    umount "$root/dev/shm" 2>/dev/null
    umount "$root/dev" 2>/dev/null
    umount "$root/proc" 2>/dev/null
}

# The tree as it stands: what is committed and what is about to be, nothing that is ignored.
copy_sources() {
    local target=$1/srv/cartoguide
    mkdir -p "$target"
    find "$target" -mindepth 1 -maxdepth 1 ! -name .venv ! -name build -exec rm -rf {} +
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do [ -e "$file" ] && printf '%s\0' "$file"; done |
        tar --null --files-from=- -cf - | tar -C "$target" -xf -
    git -C "$target" init -q 2>/dev/null
}

for release in "${releases[@]}"; do
    root=$folder/$release
    [ -d "$root" ] || bootstrap "$release" "$root"
    trap 'leave "$root"' EXIT
    enter "$root" || fail "proc and dev could not be mounted in $root"
    copy_sources "$root"
    echo "matrix: make test on Debian $release (log: $folder/$release-test.log)"
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        make --no-print-directory -C /srv/cartoguide test ARGS="${ARGS:-}" </dev/null >"$folder/$release-test.log" 2>&1
    result=$?
    sum_up "$release" "$(chroot "$root" dpkg-query -W -f='${Version}' qgis 2>/dev/null)" $result
    leave "$root"
    trap - EXIT
done
printf '%s\n' "${summary[@]}"
exit $status
