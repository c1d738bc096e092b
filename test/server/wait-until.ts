import { setImmediate as nextTurn } from 'node:timers/promises'

/** Looks in each turn of the event loop whether something is so, and resolves when it is. Throws after a minute. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('waited in vain')
    await nextTurn()
  }
}
