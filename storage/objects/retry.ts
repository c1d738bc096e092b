// Repeats requests that failed temporarily, up to three requests in all, with random waits between them. The retries and time
// limits of the SDKs are switched off.
import { setTimeout } from 'node:timers/promises'
import { RequestFault } from './request-fault.ts'

/** How long to wait for a remote store. Tests pass their own clock and random numbers. */
export type Patience = {
  /** A request must be answered within this many milliseconds. The caller's signal limits the whole. */
  readonly answerWithinMs: number
  /** From 0 to below 1. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** The default patience. */
export const defaultPatience: Patience = {
  // Three of them fit into the 30 s that one read may take.
  answerWithinMs: 8_000,
  random: Math.random,
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
}

const maxTries = 3

/** Upper bound of the first wait; the second may be twice as long. Random from 0, so that many callers spread. */
const firstWaitMs = 200

/** Repeats `ask` until it answers, fails permanently, or has no try left. Throws the last fault or the signal's reason. */
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
