// A thread that never ends a task of a repository with an even number, and answers all others.
import type { ReaderReply, ReaderTask } from '../../../server/readers/reader-messages.ts'

export function carryOut({ repository }: ReaderTask): ReaderReply {
  while (repository % 2 === 0);
  return new Uint8Array([repository])
}
