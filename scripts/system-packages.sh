#!/bin/sh
# Installs the programs the tests drive, from the distribution's packages, where they are missing.
# Usage: system-packages.sh PROGRAM…   What cannot be installed is said; the tests that need it skip themselves.
set -u

package_of() {
  case "$1" in
    chromium) echo chromium ;;
    redis-server) echo redis-server ;;
    nginx) echo nginx-light ;;
    pdftotext) echo poppler-utils ;;
    tesseract) echo tesseract-ocr ;;
    *) echo "$1" ;;
  esac
}

missing=""
for program in "$@"; do
  command -v "$program" >/dev/null 2>&1 || [ -x "/usr/sbin/$program" ] || missing="$missing $(package_of "$program")"
done
[ -z "$missing" ] && exit 0

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"
if command -v apt-get >/dev/null 2>&1 && { [ -z "$as_root" ] || $as_root true 2>/dev/null; }; then
  echo "Installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  # Keep the packages from starting services of their own: the tests start what they need.
  $as_root apt-get update -qq && $as_root env RUNLEVEL=1 apt-get install -y -qq --no-install-recommends $missing >/dev/null && exit 0
fi
echo "Not installed:$missing. The tests that need them will be skipped."
