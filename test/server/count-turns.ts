import type { Test } from 'tap'

/**
 * Does something with a clock that goes on by a millisecond each time it is read. Returns how often other work could
 * run.
 */
export async function countTurns(t: Test, work: () => Promise<unknown>): Promise<number> {
  let ms = 0
  performance.now = () => ms++
  // The clock of Node.js lies in the prototype.
  t.teardown(() => Reflect.deleteProperty(performance, 'now'))
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return turns
}
