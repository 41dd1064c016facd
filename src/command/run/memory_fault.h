/* Kernels that touch memory which is nobody's: what the host's processor finds out by itself. */
#ifndef TEENY_COMMAND_RUN_MEMORY_FAULT_H
#define TEENY_COMMAND_RUN_MEMORY_FAULT_H

#include <teeny/device.h>

/* From here to memory_fault_release a kernel on the device cpu that touches such memory ends the
 * process, with a message on standard error and the exit status COMMAND_WRONG; on other devices
 * nothing changes. What was printed before is flushed. Pairs do not nest, and are one thread's. */
void memory_fault_catch(const teeny_device *device);
void memory_fault_release(void);

#endif
