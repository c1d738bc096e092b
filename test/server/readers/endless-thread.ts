// A thread that never ends a task of a repository with an even number, and answers all others.
import type { ReaderReply, ReaderTask } from '../../../server/readers/reader-messages.ts'
import { answerCalls } from '../../../server/readers/thread-calls.ts'

function carryOut({ repository }: ReaderTask): ReaderReply {
  const rounds = repository % 2 === 0 ? Infinity : 0
  for (let round = 0; round < rounds; round++);
  return new Uint8Array([repository])
}

answerCalls((call) => (call.kind === 'carry-out' ? carryOut(call.task) : undefined))
