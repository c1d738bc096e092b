import { compareUtf8 } from '../../../objects/index.ts'

/** The first of many files by the UTF-8 bytes of their addresses, each with a value. The others are forgotten. */
export class FirstFiles<Value> {
  readonly #limit: number
  readonly #after: string | undefined
  readonly #values = new Map<string, Value>()
  /** Files after this one are not among the first. */
  #last: string | undefined

  /** @param after only files after this one count */
  constructor(limit: number, after?: string) {
    this.#limit = limit
    this.#after = after
  }

  /** Returns the value of a file, which `start` makes at the first time; undefined if it is not among the first. */
  find(file: string, start: () => Value): Value | undefined {
    const known = this.#values.get(file)
    if (known !== undefined) return known
    if (this.#after !== undefined && compareUtf8(file, this.#after) <= 0) return undefined
    if (this.#last !== undefined && compareUtf8(file, this.#last) > 0) return undefined
    const value = start()
    this.#values.set(file, value)
    if (this.#values.size > 2 * this.#limit) this.#forget()
    return value
  }

  /** Lists the first files in order. */
  list(): [file: string, value: Value][] {
    return [...this.#values].sort(([a], [b]) => compareUtf8(a, b)).slice(0, this.#limit)
  }

  #forget(): void {
    const first = this.list()
    this.#last = first.at(-1)?.[0]
    this.#values.clear()
    for (const [file, value] of first) this.#values.set(file, value)
  }
}
