import { on } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FloeProcess } from '../../main/commands/floe-process.ts'

/** Arguments for Node.js with which a service measures its longest turn. */
export const measuresTurns = ['--import', fileURLToPath(new URL('longest-turn.ts', import.meta.url))]

/**
 * Reads how long the event loop was held at most since this was asked last, and how long by all turns together, in
 * milliseconds of processor time.
 */
export async function readLongestTurn({ child }: FloeProcess): Promise<{ longest: number; sum: number }> {
  const printed = on(child.stderr ?? child, 'data', { close: ['end'] })
  child.kill('SIGUSR2')
  // The log goes there too.
  for await (const [text] of printed) {
    const [, longest, sum] = /^([\d.]+) ([\d.]+)$/m.exec(String(text)) ?? []
    if (longest !== undefined && sum !== undefined) return { longest: Number(longest), sum: Number(sum) }
  }
  throw new Error('the service has ended')
}
