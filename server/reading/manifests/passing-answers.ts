// Answers that can change although their snapshot does not, because an object of the repository could not be read and
// may be copied later. They are sent, but not cached.

const passing = new WeakSet<Buffer>()

/** Notes that an answer can change. */
export function markPassing(answer: Buffer): void {
  passing.add(answer)
}

/** Whether an answer can change. */
export function isPassing(answer: Buffer): boolean {
  return passing.has(answer)
}
