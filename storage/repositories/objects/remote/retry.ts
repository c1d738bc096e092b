// Repeats requests that failed temporarily, up to three in all, with random waits between them. The retries and time
// limits of the SDKs are switched off.
import { setTimeout } from 'node:timers/promises'
import { RequestFault } from './request-fault.ts'

/** How long to wait for a remote store. Tests replace the clock and the random numbers. */
export type RetryOptions = {
  /**
   * How long a store may take to answer a request, and then pause in the body of an object, in milliseconds, default
   * 8 s. The caller's signal limits all tries together.
   */
  readonly answerWithinMs: number
  /** Returns a random number from 0 to below 1, default `Math.random`. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>
}

export const defaultRetryOptions: RetryOptions = {
  // Three tries fit into the 30 s that one read may take.
  answerWithinMs: 8_000,
  random: Math.random,
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
}

const maxTries = 3

/** Maximum first wait, in milliseconds; the second can be twice as long. A random part of it spreads the retries. */
const firstWaitMs = 200

/** Calls `send` up to three times, as long as failures are temporary. Throws the last fault or the signal's reason. */
export async function retry<T>(
  send: () => Promise<T>,
  signal: AbortSignal,
  { random, wait }: Pick<RetryOptions, 'random' | 'wait'>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof RequestFault) || !error.isTransient || tries === maxTries) throw error
    }
    await wait(random() * firstWaitMs * 2 ** (tries - 1), signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
  }
}
