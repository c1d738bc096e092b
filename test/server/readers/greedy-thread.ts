// A thread that takes memory without end for the repository `troublesome`, and answers all others with their identity.
import type { ReaderReply, ReaderTask } from '../../../server/readers/reader-messages.ts'
import { answerCalls } from '../../../server/readers/thread-calls.ts'

function carryOut({ identity }: ReaderTask): ReaderReply {
  const taken: object[] = []
  const rounds = identity === 'troublesome' ? Infinity : 0
  for (let round = 0; round < rounds; round++) taken.push({ round: new Map([[round, {}]]) })
  return new TextEncoder().encode(identity)
}

answerCalls((call) => (call.kind === 'carry-out' ? carryOut(call.task) : undefined))
