// The far ends of two I2C buses and two SPI buses, and what a Raspberry Pi 4 says of itself: built into the kernel that
// `make kernel-test` boots.
//
// /dev/i2c-1 and /dev/i2c-3 have one device each, at 0x3c, which takes whatever is written to it. /dev/spidev0.0 and
// /dev/spidev6.0 take what is sent and answer meanwhile with bytes that were laid out before. Above them is nothing but
// the kernel's own I2C and SPI.
//
// /dev/wire-i2c1 and so on tell what goes over the wires while they are held open: reading gives, for each message
// since the last reading, its length, its address (SPI: bits a second), whether it was a reading one (SPI: mode), four
// bytes each in the machine's own order, and its bytes. Writing lays out the bytes that the device answers with, from the
// start of every message.
//
// In /sys/module/wire/parameters, for each of them: i2c1_plugged tells or sets whether the device is on its bus;
// i2c1_held, for how many milliseconds a message is held up at most, after which it fails, until this is 0 again;
// i2c1_holding tells whether one is.

#include <linux/delay.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/i2c.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#define ADDRESS 0x3c
#define LOG_SIZE (1024 * 1024)
#define ANSWER_SIZE 4096

struct wire {
	struct miscdevice misc;
	struct mutex lock;
	unsigned int listeners;
	size_t logged;
	u8 *log;
	u8 answer[ANSWER_SIZE];
	bool plugged;
	unsigned int held; // ms
	bool holding;
};

// A full log fails the message that no longer fits: nothing may be lost in silence.
static int tell(struct wire *wire, u32 where, u32 flags, const void *bytes, u32 length)
{
	u32 head[] = { length, where, flags };
	int failed = 0;

	mutex_lock(&wire->lock);
	if (!wire->listeners) {
		failed = 0;
	} else if (wire->logged + sizeof(head) + length > LOG_SIZE) {
		failed = -ENOSPC;
	} else {
		memcpy(wire->log + wire->logged, head, sizeof(head));
		if (bytes)
			memcpy(wire->log + wire->logged + sizeof(head), bytes, length);
		else
			memset(wire->log + wire->logged + sizeof(head), 0, length);
		wire->logged += sizeof(head) + length;
	}
	mutex_unlock(&wire->lock);
	return failed;
}

static void answer(struct wire *wire, size_t from, u8 *bytes, size_t length)
{
	size_t there = from < ANSWER_SIZE ? min_t(size_t, length, ANSWER_SIZE - from) : 0;

	mutex_lock(&wire->lock);
	memcpy(bytes, wire->answer + from, there);
	memset(bytes + there, 0, length - there);
	mutex_unlock(&wire->lock);
}

static struct wire *wire_of(struct file *file)
{
	return container_of(file->private_data, struct wire, misc);
}

static int wire_open(struct inode *inode, struct file *file)
{
	struct wire *wire = wire_of(file);

	mutex_lock(&wire->lock);
	if (!wire->listeners++)
		wire->logged = 0;
	mutex_unlock(&wire->lock);
	return 0;
}

static int wire_release(struct inode *inode, struct file *file)
{
	struct wire *wire = wire_of(file);

	mutex_lock(&wire->lock);
	wire->listeners--;
	mutex_unlock(&wire->lock);
	return 0;
}

static ssize_t wire_read(struct file *file, char __user *buffer, size_t room, loff_t *offset)
{
	struct wire *wire = wire_of(file);
	ssize_t given;

	mutex_lock(&wire->lock);
	given = min(room, wire->logged);
	if (copy_to_user(buffer, wire->log, given)) {
		given = -EFAULT;
	} else {
		wire->logged -= given;
		memmove(wire->log, wire->log + given, wire->logged);
	}
	mutex_unlock(&wire->lock);
	return given;
}

static ssize_t wire_write(struct file *file, const char __user *buffer, size_t length, loff_t *offset)
{
	struct wire *wire = wire_of(file);
	ssize_t taken = length;

	if (length > ANSWER_SIZE)
		return -EMSGSIZE;
	mutex_lock(&wire->lock);
	memset(wire->answer, 0, ANSWER_SIZE);
	if (copy_from_user(wire->answer, buffer, length))
		taken = -EFAULT;
	mutex_unlock(&wire->lock);
	return taken;
}

static const struct file_operations wire_operations = {
	.owner = THIS_MODULE,
	.open = wire_open,
	.release = wire_release,
	.read = wire_read,
	.write = wire_write,
};

#define WIRE(bus)                                                                                 \
	static struct wire bus = {                                                                \
		.misc = { .minor = MISC_DYNAMIC_MINOR, .name = "wire-" #bus, .fops = &wire_operations }, \
		.lock = __MUTEX_INITIALIZER(bus.lock),                                            \
		.plugged = true,                                                                  \
	};                                                                                        \
	module_param_named(bus##_plugged, bus.plugged, bool, 0600);                               \
	module_param_named(bus##_held, bus.held, uint, 0600);                                     \
	module_param_named(bus##_holding, bus.holding, bool, 0400)

WIRE(i2c1);
WIRE(i2c3);
WIRE(spi0);
WIRE(spi6);

// A core-dumping signal is not yet a fatal one, but the sender's process will not live to see the answer.
static bool dying(void)
{
	return fatal_signal_pending(current) || sigismember(&current->signal->shared_pending.signal, SIGABRT);
}

static int hold_up(struct wire *wire)
{
	unsigned long end = jiffies + msecs_to_jiffies(READ_ONCE(wire->held));

	while (READ_ONCE(wire->held) && time_before(jiffies, end) && !dying()) {
		WRITE_ONCE(wire->holding, true);
		msleep(1);
	}
	WRITE_ONCE(wire->holding, false);
	return READ_ONCE(wire->held) ? -ETIMEDOUT : 0;
}

// Nobody acknowledges the address: what the Pi's i2c-bcm2835 makes of it.
static int i2c_transfer_messages(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	struct wire *wire = adapter->algo_data;
	int i, failed;

	failed = hold_up(wire);
	if (failed)
		return failed;
	for (i = 0; i < count; i++) {
		if (!wire->plugged || messages[i].addr != ADDRESS)
			return -EREMOTEIO;
		if (messages[i].flags & I2C_M_RD)
			answer(wire, 0, messages[i].buf, messages[i].len);
		failed = tell(wire, messages[i].addr, messages[i].flags & I2C_M_RD, messages[i].buf, messages[i].len);
		if (failed)
			return failed;
	}
	return count;
}

static u32 i2c_abilities(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm i2c_algorithm = {
	.xfer = i2c_transfer_messages,
	.functionality = i2c_abilities,
};

static struct i2c_adapter i2c_buses[] = {
	{ .owner = THIS_MODULE, .name = "wire", .algo = &i2c_algorithm, .nr = 1, .algo_data = &i2c1 },
	{ .owner = THIS_MODULE, .name = "wire", .algo = &i2c_algorithm, .nr = 3, .algo_data = &i2c3 },
};

static int spi_transfer_message(struct spi_controller *controller, struct spi_message *message)
{
	struct wire *wire = *(struct wire **)spi_controller_get_devdata(controller);
	struct spi_transfer *transfer;

	message->status = hold_up(wire);
	if (message->status)
		goto done;
	list_for_each_entry(transfer, &message->transfers, transfer_list) {
		message->status = tell(wire, transfer->speed_hz, message->spi->mode & SPI_MODE_X_MASK,
				       transfer->tx_buf, transfer->len);
		if (message->status)
			break;
		if (transfer->rx_buf)
			answer(wire, message->actual_length, transfer->rx_buf, transfer->len);
		message->actual_length += transfer->len;
	}
done:
	spi_finalize_current_message(controller);
	return 0;
}

// The modalias is one of the names that spidev takes without a device tree.
static struct spi_board_info spi_devices[] __initdata = {
	{ .modalias = "dh2228fv", .max_speed_hz = 125000000, .bus_num = 0, .chip_select = 0 },
	{ .modalias = "dh2228fv", .max_speed_hz = 125000000, .bus_num = 6, .chip_select = 0 },
};

static int __init spi_bus_init(struct device *root, int number, struct wire *wire)
{
	struct spi_controller *bus = spi_alloc_host(root, sizeof(wire));

	if (!bus)
		return -ENOMEM;
	*(struct wire **)spi_controller_get_devdata(bus) = wire;
	bus->bus_num = number;
	bus->num_chipselect = 1;
	bus->mode_bits = SPI_MODE_X_MASK;
	bus->max_speed_hz = spi_devices[0].max_speed_hz;
	bus->transfer_one_message = spi_transfer_message;
	return spi_register_controller(bus);
}

static int model_show(struct seq_file *file, void *unused)
{
	seq_write(file, "Raspberry Pi 4 Model B Rev 1.4", sizeof("Raspberry Pi 4 Model B Rev 1.4"));
	return 0;
}

static int revision_show(struct seq_file *file, void *unused)
{
	seq_write(file, "\x00\xc0\x31\x14", 4);
	return 0;
}

static int __init device_tree_init(void)
{
	struct proc_dir_entry *tree = proc_mkdir("device-tree", NULL);
	struct proc_dir_entry *system = proc_mkdir("system", tree);

	if (!tree || !system || !proc_create_single("model", 0444, tree, model_show))
		return -ENOMEM;
	return proc_create_single("linux,revision", 0444, system, revision_show) ? 0 : -ENOMEM;
}

static int __init wire_init(void)
{
	struct device *root = root_device_register("wire");
	struct wire *wires[] = { &i2c1, &i2c3, &spi0, &spi6 };
	int i, failed = 0;

	if (IS_ERR(root))
		return PTR_ERR(root);
	for (i = 0; !failed && i < ARRAY_SIZE(wires); i++) {
		wires[i]->log = vmalloc(LOG_SIZE);
		failed = wires[i]->log ? misc_register(&wires[i]->misc) : -ENOMEM;
	}
	for (i = 0; !failed && i < ARRAY_SIZE(i2c_buses); i++) {
		i2c_buses[i].dev.parent = root;
		failed = i2c_add_numbered_adapter(&i2c_buses[i]);
	}
	failed = failed ?: spi_register_board_info(spi_devices, ARRAY_SIZE(spi_devices));
	failed = failed ?: spi_bus_init(root, 0, &spi0);
	failed = failed ?: spi_bus_init(root, 6, &spi6);
	return failed ?: device_tree_init();
}
late_initcall(wire_init);

MODULE_LICENSE("Dual MIT/GPL");
