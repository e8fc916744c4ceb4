# Sourced by the first process of either kernel that run.sh boots: file systems, and a chip with the Pi's 28 pins.
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t configfs config /sys/kernel/config
mount -t devtmpfs dev /dev
mkdir /dev/pts
mount -t devpts pts /dev/pts
mount -t tmpfs run /run
mkdir /run/report
# The older call: through the newer one, which Debian 13 prefers, hostfs takes its folder in another way.
LIBMOUNT_FORCE_MOUNT2=always mount -t hostfs -o "$REPORT" report /run/report

mkdir -p /sys/kernel/config/gpio-sim/pi/bank
echo 28 >/sys/kernel/config/gpio-sim/pi/bank/num_lines
echo pinctrl-bcm2711 >/sys/kernel/config/gpio-sim/pi/bank/label
echo 1 >/sys/kernel/config/gpio-sim/pi/live
