// The far ends of an I2C bus and an SPI bus, built into the kernel that `make kernel-test` boots.
//
// /dev/i2c-1 has one device, at 0x3c, which takes whatever is written to it. /dev/spidev0.0 takes what is sent and
// answers meanwhile with bytes that were laid out before. Above them is nothing but the kernel's own I2C and SPI.
//
// /dev/wire-i2c and /dev/wire-spi tell what went over the wires: reading gives, for each message since the last
// reading, its length, its address (SPI: bits a second), whether it was a reading one (SPI: mode), four bytes each in
// the machine's own order, and its bytes. Writing lays out the bytes that the device answers with, from the start of every message.
// /sys/module/wire/parameters/plugged tells or sets whether the I2C device is on its bus; held, whether SPI messages are
// held up, each for HELD_AT_MOST at most, after which it fails; holding tells whether one is.

#include <linux/delay.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/i2c.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>

#define ADDRESS 0x3c
#define LOG_SIZE (256 * 1024)
#define ANSWER_SIZE 4096
#define HELD_AT_MOST 5000 // ms

static bool plugged = true;
module_param(plugged, bool, 0600);
static bool held;
module_param(held, bool, 0600);
static bool holding;
module_param(holding, bool, 0400);

struct wire {
	struct miscdevice misc;
	struct mutex lock;
	size_t logged;
	u8 log[LOG_SIZE];
	u8 answer[ANSWER_SIZE];
};

// A full log fails the message that no longer fits: nothing may be lost in silence.
static int tell(struct wire *wire, u32 where, u32 flags, const void *bytes, u32 length)
{
	u32 head[] = { length, where, flags };
	int failed = 0;

	mutex_lock(&wire->lock);
	if (wire->logged + sizeof(head) + length > LOG_SIZE) {
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
	.read = wire_read,
	.write = wire_write,
};

static struct wire i2c_wire = {
	.misc = { .minor = MISC_DYNAMIC_MINOR, .name = "wire-i2c", .fops = &wire_operations },
	.lock = __MUTEX_INITIALIZER(i2c_wire.lock),
};

static struct wire spi_wire = {
	.misc = { .minor = MISC_DYNAMIC_MINOR, .name = "wire-spi", .fops = &wire_operations },
	.lock = __MUTEX_INITIALIZER(spi_wire.lock),
};

// Nobody acknowledges the address: what the Pi's i2c-bcm2835 makes of it.
static int i2c_transfer_messages(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int i, failed;

	for (i = 0; i < count; i++) {
		if (!plugged || messages[i].addr != ADDRESS)
			return -EREMOTEIO;
		if (messages[i].flags & I2C_M_RD)
			answer(&i2c_wire, 0, messages[i].buf, messages[i].len);
		failed = tell(&i2c_wire, messages[i].addr, messages[i].flags & I2C_M_RD, messages[i].buf, messages[i].len);
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

static struct i2c_adapter i2c_bus = {
	.owner = THIS_MODULE,
	.name = "wire",
	.algo = &i2c_algorithm,
	.nr = 1,
};

static int hold_up(void)
{
	unsigned long end = jiffies + msecs_to_jiffies(HELD_AT_MOST);

	while (READ_ONCE(held) && time_before(jiffies, end)) {
		WRITE_ONCE(holding, true);
		msleep(1);
	}
	WRITE_ONCE(holding, false);
	return READ_ONCE(held) ? -ETIMEDOUT : 0;
}

static int spi_transfer_message(struct spi_controller *controller, struct spi_message *message)
{
	struct spi_transfer *transfer;

	message->status = hold_up();
	if (message->status)
		goto done;
	list_for_each_entry(transfer, &message->transfers, transfer_list) {
		message->status = tell(&spi_wire, transfer->speed_hz, message->spi->mode & SPI_MODE_X_MASK,
				       transfer->tx_buf, transfer->len);
		if (message->status)
			break;
		if (transfer->rx_buf)
			answer(&spi_wire, message->actual_length, transfer->rx_buf, transfer->len);
		message->actual_length += transfer->len;
	}
done:
	spi_finalize_current_message(controller);
	return 0;
}

// One of the names that spidev takes without a device tree.
static struct spi_board_info spi_device __initdata = {
	.modalias = "dh2228fv",
	.max_speed_hz = 125000000,
	.bus_num = 0,
	.chip_select = 0,
};

static int __init wire_init(void)
{
	struct device *root = root_device_register("wire");
	struct spi_controller *spi_bus;
	int failed;

	if (IS_ERR(root))
		return PTR_ERR(root);
	failed = misc_register(&i2c_wire.misc);
	failed = failed ?: misc_register(&spi_wire.misc);
	if (failed)
		return failed;

	i2c_bus.dev.parent = root;
	failed = i2c_add_numbered_adapter(&i2c_bus);
	if (failed)
		return failed;

	failed = spi_register_board_info(&spi_device, 1);
	if (failed)
		return failed;
	spi_bus = spi_alloc_host(root, 0);
	if (!spi_bus)
		return -ENOMEM;
	spi_bus->bus_num = 0;
	spi_bus->num_chipselect = 1;
	spi_bus->mode_bits = SPI_MODE_X_MASK;
	spi_bus->max_speed_hz = spi_device.max_speed_hz;
	spi_bus->transfer_one_message = spi_transfer_message;
	return spi_register_controller(spi_bus);
}
late_initcall(wire_init);

MODULE_LICENSE("Dual MIT/GPL");
