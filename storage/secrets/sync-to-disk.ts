import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Writes a file or a directory to disk. Until then, a power cut can undo what was done to it. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
