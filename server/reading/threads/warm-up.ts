// A new thread interprets its code: V8 compiles a function only after it has run for a while. So an idle thread answers
// questions about a small snapshot, and the first answer to a caller then takes half the time.
import { setImmediate } from 'node:timers/promises'
import { decodeSnapshot, defaultLimits } from '@floe/storage/icechunk'
import { answerQuestion } from '../questions/answer-question.ts'
import { warmUpSnapshot } from './warm-up-snapshot.ts'

/** After these, more would gain little. They take some 70 ms of processor time, with that of the compiler. */
const rounds = 12

const { id, group, object } = warmUpSnapshot

const questions = [
  { kind: 'info', group },
  { kind: 'datasets', group: '' },
  { kind: 'completeness', group: '' },
  { kind: 'dict', group },
] as const

/**
 * Answers questions, with a turn of the event loop before each. One takes 1 ms, and the first 7 ms, which the first
 * task would take otherwise. Has no effect outside of V8.
 *
 * @param isOver whether a task has arrived
 * @returns how many questions it has answered
 */
export async function warmUp(isOver: () => boolean): Promise<number> {
  let answered = 0
  for (let round = 0; round < rounds; round++) {
    for (const question of questions) {
      await setImmediate()
      if (isOver()) return answered
      const file = { repository: 'built-in', key: id, bytes: Buffer.from(object, 'base64') }
      answerQuestion(await decodeSnapshot(file, id, defaultLimits), question)
      answered++
    }
  }
  return answered
}
