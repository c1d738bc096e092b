// What has happened in a machine: a hash over everything, and the last steps in words.

/** A step of a machine. */
export type Step = {
  readonly number: number
  readonly at: number
  readonly owner: string
  readonly label: string
  /** More about the step, written only when somebody reads it. */
  readonly detail?: string | undefined
}

/** The history of a machine. Two runs with the same hash did the same. */
export class Trace {
  #high = 0x811c9dc5
  #low = 0x2f0b4c47
  readonly #steps: Step[] = []
  /** The directory of the run. Its name differs in each run, and is not part of the history. */
  directory = ''
  /** Number of steps that are remembered. */
  remembered = 50

  get hash(): string {
    return [this.#high, this.#low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
  }

  /** Adds a text to the hash. */
  mix(text: string): void {
    const mixed = this.directory === '' ? text : text.replaceAll(this.directory, '')
    let [high, low] = [this.#high, this.#low]
    for (let index = 0; index < mixed.length; index++) {
      const code = mixed.charCodeAt(index)
      high = Math.imul(high ^ code, 0x01000193)
      low = Math.imul(low ^ code, 0x85ebca6b) ^ (high >>> 15)
    }
    this.#high = high
    this.#low = low
  }

  add(step: Step): void {
    this.mix(`${step.at} ${step.owner} ${step.label} ${step.detail ?? ''}\n`)
    this.#steps.push(step)
    if (this.#steps.length > 2 * this.remembered) this.#steps.splice(0, this.remembered)
  }

  /** Writes the last steps, oldest first. */
  write(count: number): string[] {
    return this.#steps.slice(-count).map(({ number, at, owner, label, detail }) => {
      return `${String(number).padStart(9)} ${formatTime(at)} ${owner.padEnd(9)} ${label}${detail ? `: ${detail}` : ''}`
    })
  }
}

/** Writes a time of the machine in hours, minutes and seconds. */
export function formatTime(ms: number): string {
  const seconds = ms / 1_000
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  return `${hours}:${String(minutes).padStart(2, '0')}:${(seconds % 60).toFixed(4).padStart(7, '0')}`
}
