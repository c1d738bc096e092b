// The one rule for requests that fail: what may pass is asked again, three times in all, after a random while. The SDKs'
// own retries and time limits are switched off.
import { setTimeout } from 'node:timers/promises'
import { RequestFault } from './request-fault.ts'

/** How long to wait for a remote store. Time and chance are given, so that tests need not wait. */
export type Patience = {
  /** A request must be answered within this many milliseconds. The caller's signal limits the whole. */
  readonly answerWithinMs: number
  /** From 0 to below 1. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** The patience in force. */
export const defaultPatience: Patience = {
  // Three of them fit into the 30 s that one read may take.
  answerWithinMs: 8_000,
  random: Math.random,
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
}

const maxTries = 3

/** Upper bound of the first wait; the second may be twice as long. Random from 0, so that many callers spread. */
const firstWaitMs = 200

/** Asks until there is an answer, a fault that will stay, or no try left. Throws the last fault or the signal's reason. */
export async function withRetries<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  { random, wait }: Pick<Patience, 'random' | 'wait'>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof RequestFault) || !error.isTransient || tries === maxTries) throw error
    }
    await wait(random() * firstWaitMs * 2 ** (tries - 1), signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
  }
}
