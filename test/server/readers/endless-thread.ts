// A thread that never ends a task of a repository with an even number, and answers all others.
import type { ReaderReply, ReaderTask } from '../../../server/readers/reader-messages.ts'

export function carryOut({ repository }: ReaderTask): ReaderReply {
  for (let round = 0; repository % 2 === 0; round++);
  return new Uint8Array([repository])
}
