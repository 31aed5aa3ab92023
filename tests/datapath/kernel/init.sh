#!/bin/sh
# First process of the guest: file systems, modules, network, then the agent.
export PATH=/sbin:/bin:/usr/sbin:/usr/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
for module in $(cat /modules.order); do insmod "$module"; done
argument() { sed -n "s/.*\\b$1=\\([^ ]*\\).*/\\1/p" /proc/cmdline; }
hostname "$(argument vmname)"
ip link set lo up
ip link set eth0 up
ip addr add "$(argument ip)" dev eth0
mkdir -p /var/lib/nfs /mnt /run
: > /etc/mtab
tries=0
while [ $tries -lt 100 ] && ! ls /dev/vport*p* > /dev/null 2>&1; do usleep 20000; tries=$((tries + 1)); done
exec python3 -S -E -s /agent.py "$(ls /dev/vport*p* | tail -1)"
