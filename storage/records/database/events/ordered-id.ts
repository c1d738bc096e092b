import { randomUUID } from 'node:crypto'

/**
 * Makes a UUID of version 7, which begins with the time. New records are then neighbours in the indexes of their ids,
 * and touch few pages even among millions of records.
 */
export function newOrderedId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  // Versions 4 and 7 have the same form after the version digit.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
