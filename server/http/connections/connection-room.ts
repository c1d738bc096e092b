import { readFileSync } from 'node:fs'

/**
 * Open files that are reserved for listening sockets, the database, repositories and deliveries. A process that runs
 * out of open files can neither read nor deliver, and ends.
 */
const reservedFiles = 600

/** Connections of callers get at least this share of all open files. */
const minShare = 0.25

/**
 * Returns how many connections of callers the limit of open files of this process allows; Infinity if that limit is
 * unknown.
 *
 * @param limits the text of `/proc/self/limits`
 */
export function findConnectionRoom(limits: string | undefined = readLimits()): number {
  const openFiles = /^Max open files +(\d+)/m.exec(limits ?? '')?.[1]
  if (openFiles === undefined) return Infinity
  return Math.max(Number(openFiles) - reservedFiles, Math.floor(Number(openFiles) * minShare))
}

function readLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return undefined
  }
}
