import { readFileSync } from 'node:fs'

/**
 * Files and sockets that are reserved for sockets that listen, the database, repositories and deliveries. A process without any can neither
 * read nor deliver, and ends.
 */
const reservedFiles = 600

/** The least part of all that callers get. */
const leastShare = 0.25

/**
 * Returns how many connections of callers fit among the files that the system lets this process have open; Infinity where it does not
 * say.
 *
 * @param limits the limits of the process as Linux shows them
 */
export function findConnectionRoom(limits: string | undefined = readLimits()): number {
  const openFiles = /^Max open files +(\d+)/m.exec(limits ?? '')?.[1]
  if (openFiles === undefined) return Infinity
  return Math.max(Number(openFiles) - reservedFiles, Math.floor(Number(openFiles) * leastShare))
}

function readLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return undefined
  }
}
