import { totalmem } from 'node:os'

/**
 * Chooses how many attempts may run at the same time: one for each MiB of memory, so that they take about a tenth of
 * it.
 *
 * @param containerBytes memory limit of the container; 0, or more than the machine has, if there is no limit
 */
export function chooseMaxInFlight(containerBytes: number): number {
  const memoryBytes = containerBytes > 0 ? Math.min(containerBytes, totalmem()) : totalmem()
  return Math.min(Math.max(Math.floor(memoryBytes / 1024 ** 2), 256), 1_024)
}
