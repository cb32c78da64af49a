#!/usr/bin/env bash
# Gradescope runs this once, as root, where the zip was unpacked, while it builds the image. Only this needs a network.
set -euo pipefail
umask 022
cd "$(dirname "$0")"
home=/opt/assay root=/opt/assay-sandbox

fail() { printf 'assay: %s\n' "$*" >&2; exit 1; }
apt_install() {
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } ||
        fail "apt-get could not install $*."
}

is_right() { "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
find_python() {
    local candidate
    for candidate in python3.11 python3 python3.12 python3.13 python3.14; do
        if command -v "$candidate" >/dev/null && is_right "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
}

# The exercise's answers are root's alone; and a submission gets a root in which they are not.
chmod -R go-rwx .

python=$(find_python)
if [ -z "$python" ]; then
    apt_install python3.11 python3.11-venv
    python=$(find_python)
fi
[ -n "$python" ] || fail "Python 3.11 or newer is missing: choose a newer Ubuntu in the autograder's settings."
"$python" -c 'import ctypes; ctypes.CDLL("libseccomp.so.2")' 2>/dev/null || apt_install libseccomp2

"$python" -m venv "$home"
[ ! -f install/pip.conf ] || export PIP_CONFIG_FILE=$PWD/install/pip.conf
export PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
"$home/bin/python" install/deploy/install.py "$home" worker || fail "pip could not install the packages (above)."

# What a submission sees: a Python, the allowed packages, the guest's modules, two devices; no shell and no answers.
mkdir -p "$root"
PYTHONPATH=code "$home/bin/python" -P -m worker.sandbox.image "$root"
PYTHONPATH=code "$home/bin/python" -P -m worker.sandbox.guest_code "$root/assay/code"
mknod -m 666 "$root/dev/null" c 1 3 && mknod -m 444 "$root/dev/urandom" c 1 9 ||
    touch "$root/dev/null" "$root/dev/urandom" # empty files, where no device may be made
chmod 755 "$root"/tmp
ln -sfn "$root/assay" /assay
