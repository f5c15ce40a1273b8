#!/usr/bin/env bash
# Runs all tests, the slow ones too, on several versions of QGIS: those of Debian releases, each in a debootstrap folder (as
# root) or else, where Docker runs, in a qgis/qgis container, and those that no Debian release has in containers only.
#
#     matrix.sh [release …]      default: trixie (QGIS 3.40) and forky (3.44); bookworm has 3.22; 4.0 and 4.2 are containers
#
# Ends with 0 where all tests passed, 1 where some failed, 3 where none failed and a QGIS could not be had.
# As root it needs debootstrap (installed when missing). The folders are kept, so that a second run is quick;
# PREPARE=yes only makes the folders and installs what the tests need in them.
# MIRROR names another mirror of Debian, MATRIX_FOLDER another place than build/matrix (about 3 GB each), ARGS are passed on to pytest.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
exec </dev/null
releases=("$@")
[ ${#releases[@]} -gt 0 ] || releases=(trixie forky)
folder=${MATRIX_FOLDER:-build/matrix}
mkdir -p "$folder" || exit 3
folder=$(cd "$folder" && pwd)
summary=()
status=0

say() { printf 'matrix: %s\n' "$*"; }
give_up() { say "$*"; exit 3; }

# a release that no test ran on; the others still have their turn
not_to_be_had() {
    summary+=("$(printf '%-10s %s' "$1" "NOT tried: $2")")
    [ "$status" -ne 0 ] || status=3
}

# what the suite said of a release
sum_up() {
    local release=$1 version=$2 result=$3 log=$folder/$1-test.log
    [ "$result" -eq 0 ] || status=1
    summary+=("$(printf '%-10s QGIS %-22s %s' "$release" "$version" "$(grep "tests passed: " "$log" || tail -n 1 "$log")")")
}

# The tree as it stands: what is committed and what is about to be, nothing that is ignored.
sources() {
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do [ -e "$file" ] && printf '%s\0' "$file"; done |
        tar --null --files-from=- -cf -
}

# The QGIS project's own images are named by QGIS's version, not by Debian's. IMAGE names another one.
image_of() {
    case $1 in
        bookworm) echo "${IMAGE:-qgis/qgis:3.22}" ;;
        trixie) echo "${IMAGE:-qgis/qgis:3.40}" ;;
        forky) echo "${IMAGE:-qgis/qgis:3.44}" ;;
        4.*) echo "${IMAGE:-qgis/qgis:$1}" ;;
    esac
}

has_docker() { command -v docker >/dev/null && docker info >/dev/null 2>&1; }

in_container() {
    local release=$1 image
    [ -z "${PREPARE:-}" ] || return 0
    image=$(image_of "$release")
    [ -n "$image" ] || { not_to_be_had "$release" "no image is known for it"; return; }
    docker image inspect "$image" >/dev/null 2>&1 || docker pull -q "$image" || { not_to_be_had "$release" "$image could not be fetched"; return; }
    say "make test in $image (log: $folder/$release-test.log)"
    # the images' QGIS comes from no package: setup must not install another one beside it
    sources | docker run --rm -i -e LC_ALL=C.UTF-8 "$image" bash -c 'mkdir -p /srv/cartoguide && cd /srv/cartoguide && tar -xf - || exit
        { command -v make && command -v git; } >/dev/null ||
            { apt-get update -qq && apt-get install -y -qq --no-install-recommends make git; } >/dev/null </dev/null
        git init -q . && exec make --no-print-directory test QGIS_PREFIX=/usr ARGS="--all $0" </dev/null' "${ARGS:-}" 2>&1 |
        tee "$folder/$release-test.log"
    sum_up "$release" "$image" "${PIPESTATUS[1]}"
}

# In namespaces of its own, nothing that is mounted or started outlives this script, however it ends.
isolate() {
    local alone=(unshare --mount --pid --fork --kill-child --mount-proc)
    [ -z "${MATRIX_ALONE:-}" ] || return 0
    "${alone[@]}" true 2>/dev/null || give_up "this machine lets not even root mount anything, so no Debian folder can be made."
    MATRIX_ALONE=yes exec "${alone[@]}" "$PWD/tests/tools/matrix.sh" "${releases[@]}"
}

install_debootstrap() {
    command -v debootstrap >/dev/null && return
    command -v apt-get >/dev/null || give_up "please install debootstrap."
    say "installing debootstrap"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 debootstrap; } >/dev/null ||
        give_up "debootstrap could not be installed."
}

# where this machine's own Debian packages come from; nothing where that is not known: debootstrap knows a mirror itself
own_mirror() { apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -m1 '/debian/*$'; }

# A release newer than this debootstrap knows is made by the same script as all of them.
bootstrap() {
    local release=$1 root=$2 attempt script=/usr/share/debootstrap/scripts/sid
    [ -e "/usr/share/debootstrap/scripts/$release" ] && script=
    for attempt in 1 2; do
        say "making Debian $release in $root"
        rm -rf --one-file-system "$root.part"
        # $script is one argument or none
        # shellcheck disable=SC2086
        debootstrap --variant=minbase --include=ca-certificates,make,git "$release" "$root.part" "${MIRROR:-$(own_mirror)}" $script \
            >"$root.log" 2>&1 &&
            # what can be made anew need not be safe on the disk file by file
            echo force-unsafe-io >"$root.part/etc/dpkg/dpkg.cfg.d/quick" && mv "$root.part" "$root" && return
        say "debootstrap of $release failed (attempt $attempt), see $root.log"
    done
    tail -n 20 "$root.log"
    return 1
}

# What a program in the folder expects of a running system.
enter() {
    local root=$1
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" || return
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    # a bare folder does not know its own name for 127.0.0.1
    grep -qs localhost "$root/etc/hosts" || echo "127.0.0.1 localhost" >>"$root/etc/hosts"
    # the machine's own way to the package sources: proxies, checks, certificates, pip's settings
    [ -f /etc/pip.conf ] && cp /etc/pip.conf "$root/etc/pip.conf"
    [ -f /etc/ssl/certs/ca-certificates.crt ] && cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    grep -ls '^ *Acquire' /etc/apt/apt.conf.d/* 2>/dev/null | xargs -r cp -t "$root/etc/apt/apt.conf.d"
}

copy_sources() {
    local target=$1/srv/cartoguide
    mkdir -p "$target" && find "$target" -mindepth 1 -maxdepth 1 ! -name .venv ! -name build -exec rm -rf {} + &&
        sources | tar -C "$target" -xf - && git -C "$target" init -q
}

# make in the folder, with nothing of this machine's environment
make_in() {
    local root=$1
    shift
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        make --no-print-directory -C /srv/cartoguide "$@"
}

in_folder() {
    local release=$1 root=$folder/$1 version started=$SECONDS
    [ -d "$root" ] || bootstrap "$release" "$root" || { not_to_be_had "$release" "debootstrap failed"; return; }
    enter "$root" || { not_to_be_had "$release" "proc and dev could not be mounted in $root"; return; }
    copy_sources "$root" || { not_to_be_had "$release" "the sources could not be copied to $root"; return; }
    make_in "$root" setup || { not_to_be_had "$release" "make setup failed in $root"; return; }
    version=$(chroot "$root" dpkg-query -W -f='${Version}' qgis)
    [ -z "${PREPARE:-}" ] || { say "Debian $release with QGIS $version was made in $((SECONDS - started)) s"; return; }
    say "Debian $release with QGIS $version was ready after $((SECONDS - started)) s; make test in it (log: $folder/$release-test.log)"
    make_in "$root" test ARGS="--all ${ARGS:-}" 2>&1 | tee "$folder/$release-test.log"
    sum_up "$release" "$version" "${PIPESTATUS[0]}"
}

only_containers=yes
for release in "${releases[@]}"; do [[ $release == 4.* ]] || only_containers=; done
if [ "$(id -u)" -eq 0 ] && [ -z "$only_containers" ]; then
    isolate
    # a first process is not ended by what ends others
    trap 'exit 130' INT TERM
    install_debootstrap
elif [ "$(id -u)" -ne 0 ]; then
    has_docker || give_up "debootstrap needs root: please run it as root, or where Docker runs."
fi
for release in "${releases[@]}"; do
    if [ "$(id -u)" -eq 0 ] && [[ $release != 4.* ]]; then in_folder "$release"
    elif has_docker; then in_container "$release"
    else not_to_be_had "$release" "only a container has it, and Docker does not run here"; fi
done
printf '%s\n' "${summary[@]}"
exit $status
