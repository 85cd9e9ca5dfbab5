/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FIXTURE_LINUX_DEVICE_H
#define FIXTURE_LINUX_DEVICE_H

#include <linux/lockdep.h>
#include <linux/types.h>

struct device {
	struct device *parent;
	struct mutex mutex;
	void *driver_data;
};

void _dev_err(const struct device *dev, const char *fmt, ...);
void _dev_warn(const struct device *dev, const char *fmt, ...);
#define dev_err(dev, fmt, ...) _dev_err(dev, fmt, ##__VA_ARGS__)
#define dev_warn(dev, fmt, ...) _dev_warn(dev, fmt, ##__VA_ARGS__)

static inline void *dev_get_drvdata(const struct device *dev)
{
	return dev->driver_data;
}

#endif
