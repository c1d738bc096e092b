// A thread that takes memory without end for the group `troublesome`, and answers all others with the name of their group.
import type { ReaderReply, ReaderTask } from '../../../server/readers/reader-messages.ts'
import { answerCalls } from '../../../server/readers/thread-calls.ts'

function carryOut({ question }: ReaderTask): ReaderReply {
  const group = question.kind === 'view' ? question.group : ''
  const taken: object[] = []
  const rounds = group === 'troublesome' ? Infinity : 0
  for (let round = 0; round < rounds; round++) taken.push({ round: new Map([[round, {}]]) })
  return new TextEncoder().encode(group)
}

answerCalls((call) => (call.kind === 'carry-out' ? carryOut(call.task) : undefined))
