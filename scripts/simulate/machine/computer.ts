/** When simulated time begins, in milliseconds since 1970. */
const epoch = Date.UTC(2026, 0, 1)

/** A computer, whose name, clock and stopwatch its processes share. */
export class Computer {
  readonly name: string
  /** Names one start of the computer. */
  readonly bootId: string
  /** How much the clock and the stopwatch gain, in parts of the time. */
  readonly drift: number
  /** By how much the clock is ahead, in milliseconds; troubles set it. */
  offsetMs: number

  constructor(number: number, { drift = 0, offsetMs = 0 } = {}) {
    this.name = number === 0 ? 'simulated' : `simulated-${number}`
    this.bootId = `5eed5eed-0000-4000-8000-${String(number).padStart(12, '0')}`
    this.drift = drift
    this.offsetMs = offsetMs
  }

  /** Reads the stopwatch at a time of the machine, in milliseconds. */
  elapsed(now: number): number {
    return now * (1 + this.drift)
  }

  /** Reads the clock at that time, in milliseconds since 1970. */
  clock(now: number): number {
    return Math.floor(epoch + this.elapsed(now) + this.offsetMs)
  }
}
