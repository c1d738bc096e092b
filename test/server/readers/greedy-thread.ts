// A thread that takes memory without end for repositories with an even number, and answers all others.
import type { ReaderReply, ReaderTask } from '../../../server/readers/reader-messages.ts'

export function carryOut({ repository }: ReaderTask): ReaderReply {
  const taken: object[] = []
  while (repository % 2 === 0) taken.push({ taken: new Map([[taken.length, {}]]) })
  return new Uint8Array([repository])
}
