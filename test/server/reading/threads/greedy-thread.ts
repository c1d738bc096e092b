// A thread that takes memory without end for the group `troublesome`, and answers all others with the name of their
// group.
import { writeBody, type JsonBytes } from '@floe/storage/json'
import type { ReaderTask } from '../../../../server/reading/threads/reader-messages.ts'
import { answerCalls } from '../../../../server/reading/threads/thread-calls.ts'

function runTask({ question }: ReaderTask): JsonBytes<unknown> {
  const group = 'group' in question ? question.group : ''
  const taken: object[] = []
  const rounds = group === 'troublesome' ? Infinity : 0
  for (let round = 0; round < rounds; round++) taken.push({ round: new Map([[round, {}]]) })
  return writeBody(group)
}

answerCalls(runTask)
