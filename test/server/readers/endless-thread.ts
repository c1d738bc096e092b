// A thread that never ends a task of the repository `troublesome`, and answers all others with their identity.
import type { ReaderReply, ReaderTask } from '../../../server/readers/reader-messages.ts'
import { answerCalls } from '../../../server/readers/thread-calls.ts'

function carryOut({ identity }: ReaderTask): ReaderReply {
  const rounds = identity === 'troublesome' ? Infinity : 0
  for (let round = 0; round < rounds; round++);
  return new TextEncoder().encode(identity)
}

answerCalls((call) => (call.kind === 'carry-out' ? carryOut(call.task) : undefined))
