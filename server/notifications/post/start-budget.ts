import type { Timing } from '../../timing.ts'

/** Time limit of a whole exchange, from the look-up of the name to the end of the body. */
export type Budget = {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /** The time limit in milliseconds, for messages. */
  readonly ms: number
  /** Call this when the exchange is over. */
  readonly end: () => void
}

/** The limit is measured in this many steps. */
const steps = 20

/**
 * Starts a time limit now. While our own event loop stands still, no answer can be read, and that is no fault of the receiver: such
 * a pause, however long, counts as one step. After the last step the loop turns once more, and so reads what has arrived.
 */
export function startBudget(ms: number, { after }: Pick<Timing, 'after'>): Budget {
  const controller = new AbortController()
  let stepsLeft = steps
  let cancel: () => void
  const step = () => {
    stepsLeft--
    if (stepsLeft > 0) cancel = after(ms / steps, step)
    else cancel = afterOneTurn(() => controller.abort())
  }
  cancel = after(ms / steps, step)
  return { signal: controller.signal, ms, end: () => cancel() }
}

/** Calls back when the loop has looked at all sockets once more, unless it is cancelled. It looks between any two immediates. */
function afterOneTurn(callback: () => void): () => void {
  let immediate = setImmediate(() => (immediate = setImmediate(callback)))
  return () => clearImmediate(immediate)
}
