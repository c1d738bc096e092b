/** Something that happens at a time of the machine. Events at the same time happen in the order of their numbers. */
export type HeapEvent = { readonly at: number; readonly number: number }

/** The events of a machine, earliest first. */
export class Heap<Event extends HeapEvent> {
  readonly #events: Event[] = []

  /** The earliest event. */
  get first(): Event | undefined {
    return this.#events[0]
  }

  add(event: Event): void {
    const events = this.#events
    let index = events.length
    events.push(event)
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = events[above]
      if (parent === undefined || isBefore(parent, event)) break
      events[index] = parent
      index = above
    }
    events[index] = event
  }

  /** Takes the earliest event. */
  take(): Event | undefined {
    const events = this.#events
    const [first] = events
    const last = events.pop()
    if (last === undefined || last === first) return first
    let index = 0
    for (;;) {
      const [left, right] = [events[2 * index + 1], events[2 * index + 2]]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (child === undefined || isBefore(last, child)) break
      events[index] = child
      index = 2 * index + (isRight ? 2 : 1)
    }
    events[index] = last
    return first
  }
}

function isBefore(left: HeapEvent, right: HeapEvent): boolean {
  return left.at < right.at || (left.at === right.at && left.number < right.number)
}
