#!/usr/bin/env bash
# A User-Mode Linux kernel with simulated GPIO lines, made of a Debian package of kernel source.
# usage: build_kernel.sh PACKAGE VERSION OUT    (in an empty folder with room for 800 MB)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
package=$1 version=$2 out=$3

step() { echo "  ${SECONDS} s: $*"; }

# The output of what fails, and only that.
quietly() {
    "$@" >step.log 2>&1 || { tail -n 40 step.log >&2; return 1; }
}

step "downloading $package $version"
quietly apt-get download "$package=$version"
dpkg-deb --fsys-tarfile "$package"_*.deb | tar -x --wildcards --strip-components=3 './usr/src/*.tar.*'
rm "$package"_*.deb

step "unpacking"
# Without most of what is never compiled here.
left_out=('*/Documentation/*.rst' '*/tools/testing/*')
for each in drivers/gpu drivers/media drivers/staging drivers/net/ethernet drivers/net/wireless sound; do
    left_out+=("*/$each/*.[ch]")
done
for each in 'a[lr]*' '[b-tv-wy-z]*'; do
    left_out+=("linux-source-*/arch/$each/*.[chSd]*")
done
tar -xf "$package".tar.* "${left_out[@]/#/--exclude=}"
cd "$package"

step "changing it"
# More numbers for interrupts: each line that is listened to takes one, and there are too few for all lines of a Pi.
# The kernel's own devices keep to the range that they had.
sed -i -E 's/^(#define NR_IRQS[[:space:]]+)UM_LAST_SIGNAL_IRQ$/\1(UM_LAST_SIGNAL_IRQ + 192)/' arch/um/include/asm/irq.h
sed -i 's/i < NR_IRQS; i++/i < UM_LAST_SIGNAL_IRQ; i++/' arch/um/kernel/irq.c
# Such a kernel cannot interrupt itself, so that edges would wait for the next tick: they are handled at once.
at_once='{ unsigned long flags; \2 local_irq_save(flags); irq_enter(); irq_work_run(); irq_exit(); '
at_once+='local_irq_restore(flags); }'
sed -i -E "s/^([[:space:]]*)(irq_work_queue\(&irq_ctx->work_ctx->work\);)\$/\1$at_once/" kernel/irq/irq_sim.c
for change in 'UM_LAST_SIGNAL_IRQ + 192:arch/um/include/asm/irq.h' \
    'i < UM_LAST_SIGNAL_IRQ; i++:arch/um/kernel/irq.c' \
    'irq_work_run(); irq_exit():kernel/irq/irq_sim.c'; do
    grep -qF "${change%:*}" "${change##*:}" || { echo "${change##*:} of $package is not as it was known." >&2; exit 1; }
done

step "configuring"
quietly make ARCH=um tinyconfig
quietly ./scripts/kconfig/merge_config.sh -m .config "$here/kernel.config"
quietly make ARCH=um olddefconfig
while IFS= read -r setting; do
    grep -qxF "$setting" .config || { echo "This kernel does not take the setting $setting." >&2; exit 1; }
done < <(grep '=y$' "$here/kernel.config")

step "compiling"
quietly make -j"$(nproc)" ARCH=um linux
strip -o "$out" linux
step "done"
