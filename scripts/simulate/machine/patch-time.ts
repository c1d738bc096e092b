// Timers, clocks and stopwatches of the machine, in place of those of Node.js.
import perfHooks from 'node:perf_hooks'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { machine, type MachineEvent } from './machine.ts'

/** Real timers fire up to this much early by the stopwatch, and late on a machine that has other work. */
const earlyMs = 0.99
const lateMs = 1.5

type Callback = (...args: readonly unknown[]) => void

/** A timer of the machine, with the members of a timer of Node.js. */
class Timer {
  readonly #ms: number
  readonly #callback: () => void
  readonly #repeats: boolean
  #event: MachineEvent | undefined

  constructor(ms: number | undefined, callback: () => void, repeats: boolean) {
    // As Node.js does it.
    this.#ms = ms !== undefined && ms >= 1 && ms < 2 ** 31 ? ms : 1
    this.#callback = callback
    this.#repeats = repeats
    this.refresh()
  }

  refresh(): this {
    this.close()
    const wait = this.#ms + machine.random.between(-earlyMs, lateMs)
    this.#event = machine.plan(wait / (1 + machine.computer.drift), 'timer', () => {
      this.#event = undefined
      if (this.#repeats) this.refresh()
      this.#callback()
    })
    return this
  }

  close(): this {
    if (this.#event !== undefined) this.#event.isCancelled = true
    this.#event = undefined
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** Replaces timers and clocks. */
export function patchTime(): void {
  const setTimeout = (callback: Callback, ms?: number, ...args: unknown[]) =>
    new Timer(ms, () => callback(...args), false)
  const setInterval = (callback: Callback, ms?: number, ...args: unknown[]) =>
    new Timer(ms, () => callback(...args), true)
  const setImmediate = (callback: Callback, ...args: unknown[]) => machine.plan(0, 'turn', () => callback(...args))
  const clear = (timer: unknown) => {
    if (timer instanceof Timer) timer.close()
  }
  const clearImmediate = (event: MachineEvent | undefined) => {
    if (event !== undefined) event.isCancelled = true
  }
  const promises = {
    setTimeout: (ms: number, value?: unknown, options?: { signal?: AbortSignal }) =>
      waitFor((resolve) => setTimeout(resolve, ms), value, options?.signal),
    setImmediate: (value?: unknown, options?: { signal?: AbortSignal }) =>
      waitFor((resolve) => setImmediate(resolve), value, options?.signal),
  }
  Object.assign(setTimeout, { [promisify.custom]: promises.setTimeout })
  Object.assign(setImmediate, { [promisify.custom]: promises.setImmediate })
  const all = { setTimeout, setInterval, setImmediate, clearTimeout: clear, clearInterval: clear, clearImmediate }
  Object.assign(timers, all)
  Object.assign(globalThis, all)
  Object.assign(timersPromises, promises)
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms)
    return controller.signal
  }
  patchClocks()
}

async function waitFor(start: (resolve: () => void) => unknown, value: unknown, signal?: AbortSignal) {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    start(resolve)
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })
  return value
}

function patchClocks(): void {
  const RealDate = Date
  class MachineDate extends RealDate {
    constructor(...args: readonly unknown[]) {
      // The arguments are those of a call of `Date`.
      super(...((args.length === 0 ? [machine.clock] : args) as [number]))
    }

    static override now(): number {
      return machine.clock
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RealDate
    }
  }
  Object.defineProperty(MachineDate, 'name', { value: 'Date' })
  const elapsed = () => machine.computer.elapsed(machine.now)
  const hrtime = Object.assign(
    ([seconds, nanoseconds] = [0, 0]): [number, number] => {
      const difference = elapsed() * 1e6 - seconds * 1e9 - nanoseconds
      return [Math.floor(difference / 1e9), Math.floor(difference % 1e9)]
    },
    { bigint: () => BigInt(Math.round(elapsed() * 1e6)) },
  )
  Object.assign(globalThis, { Date: MachineDate })
  Object.defineProperty(perfHooks.performance, 'now', { value: elapsed })
  // Nothing keeps the event loop of the machine busy.
  Object.assign(perfHooks, {
    monitorEventLoopDelay: () => ({ mean: 0, enable: () => false, disable: () => false, reset: () => {} }),
  })
  Object.assign(process, { hrtime, uptime: () => elapsed() / 1_000 })
}
