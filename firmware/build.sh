#!/bin/bash
# Make MicroPython with our program in it, out of the packages that Debian has the sources in.
# usage: build.sh BOARD FROZEN WORK
#   BOARD: a folder of boards/; FROZEN: the folder of the modules to freeze; WORK: an empty folder, for all that is made.
# The apt that is asked is the one of APT_CONFIG. What comes out is WORK/build/firmware.bin, and the licences of
# what is in it, WORK/licences.txt.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
board=$1
frozen=$(readlink -f "$2")
work=$(readlink -f "$3")
step() { echo "== $*"; }

step download
mkdir "$work/src" "$work/root"
cd "$work/src"
apt-get download -qq pico-sdk-source tinyusb-source
apt-get source -qq --download-only micropython mbedtls

step unpack
for package in *.deb; do dpkg-deb -x "$package" "$work/root"; done
# apt has checked what it fetched; the keys of the packages' makers need not be here.
dpkg-source --no-check -x micropython_*.dsc micropython
dpkg-source --no-check -x mbedtls_*.dsc mbedtls
mp=$work/src/micropython
for library in "pico-sdk:$work/root/usr/src/pico-sdk" "tinyusb:$work/root/usr/src/tinyusb" "mbedtls:$work/src/mbedtls"; do
  rm -rf "$mp/lib/${library%%:*}"
  ln -s "${library#*:}" "$mp/lib/${library%%:*}"
done
# A function in machine code begins with a number that is read as a word, and the processor of a Pico cannot read one that
# does not lie on a word's boundary; MicroPython puts it on one of half a word.
grep -q 'aligned (2)' "$mp/tools/mpy-tool.py"
sed -i 's/aligned (2)/aligned (4)/' "$mp/tools/mpy-tool.py"
# Nothing of this library goes in, but the build asks whether it is there.
mkdir -p "$mp/lib/micropython-lib"
touch "$mp/lib/micropython-lib/README.md"

# Most of them ask that whoever gets the image gets them too. Of the C library the image has pieces as well; some small
# systems have installed no such files.
cat "$work"/src/{micropython,mbedtls}/debian/copyright "$work"/src/mbedtls/LICENSE \
  "$work"/root/usr/share/doc/{pico-sdk-source,tinyusb-source}/copyright > "$work/licences.txt"
newlib=/usr/share/doc/libnewlib-arm-none-eabi/copyright
[ ! -e "$newlib" ] || cat "$newlib" >> "$work/licences.txt"

step configure
export POPOUT_FROZEN=$frozen
cmake -S "$mp/ports/rp2" -B "$work/build" \
  -DMICROPY_BOARD="$board" -DMICROPY_BOARD_DIR="$here/boards/$board" -DMICROPY_FROZEN_MANIFEST="$here/manifest.py" \
  -DPICO_NO_PICOTOOL=1 -DPICO_BUILD_DOCS=0

step make
make -C "$work/build" -j"$(nproc)"
