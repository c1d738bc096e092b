import { setTimeout as rest } from 'node:timers/promises'

/** Longest time between two looks, in milliseconds. */
const maxRestMs = 10

/**
 * Looks again and again whether something is so, and resolves when it is. Throws after three minutes, because a busy
 * machine may take one. Rests between two
 * looks, because what it waits for needs the processor.
 */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 180_000
  for (let looks = 0; !(await isSo()); looks++) {
    if (performance.now() > deadline) throw new Error('waited in vain')
    await rest(Math.min(looks, maxRestMs))
  }
}
