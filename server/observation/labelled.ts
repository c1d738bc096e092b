/** A value and the labels under which it is counted. */
export type LabelledValue<Value> = { readonly labels: readonly string[]; readonly value: Value }

/**
 * Values by their labels, such as durations by route and status. Labels come from the program and never from a caller or a repository, so
 * there are few, and they tell nobody a name.
 */
export class Labelled<Value> implements Iterable<LabelledValue<Value>> {
  readonly #values = new Map<string, LabelledValue<Value>>()
  readonly #make: () => Value

  /** @param make makes the value of labels that are new */
  constructor(make: () => Value) {
    this.#make = make
  }

  /** Finds the value of these labels, or makes it. */
  find(...labels: readonly string[]): Value {
    const key = labels.join('\n')
    const known = this.#values.get(key)
    if (known !== undefined) return known.value
    const value = this.#make()
    this.#values.set(key, { labels, value })
    return value
  }

  [Symbol.iterator](): Iterator<LabelledValue<Value>> {
    return this.#values.values()
  }
}
