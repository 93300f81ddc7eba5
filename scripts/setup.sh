# Sourced by scripts/build and scripts/test: makes .venv where it is missing or out of date.
# Leaves the interpreter to use in $python.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python="$root/.venv/bin/python"
pinned=$(cksum < "$root/requirements.txt")

if [ "$(cat "$root/.venv/requirements.cksum" 2>/dev/null)" != "$pinned" ]; then
    base=
    for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            base=$candidate
            break
        fi
    done
    if [ -z "$base" ]; then
        echo "$0: needs Python 3.11 or newer; none is on the PATH (PYTHON=… names another)" >&2
        exit 2
    fi
    echo "$0: installing requirements.txt into .venv" >&2
    "$base" -m venv "$root/.venv" || {
        echo "$0: '$base -m venv' failed; on Debian and Ubuntu: apt install python3-venv" >&2
        exit 2
    }
    if ! "$python" -m pip install --quiet --disable-pip-version-check -r "$root/requirements.txt"; then
        # Not every machine has a build of torch: the site needs none, it is made from the captures.
        echo "$0: not all could be installed; trying without torch and triton" >&2
        grep -vE '^(torch|triton)==' "$root/requirements.txt" > "$root/.venv/requirements.txt"
        "$python" -m pip install --quiet --disable-pip-version-check -r "$root/.venv/requirements.txt" || exit 2
    fi
    echo "$pinned" > "$root/.venv/requirements.cksum"
fi
