// A thread that takes memory without end for repositories with an even number, and answers all others.
import type { ReaderReply, ReaderTask } from '../../../server/readers/reader-messages.ts'

export function carryOut({ repository }: ReaderTask): ReaderReply {
  const taken: object[] = []
  for (let round = 0; repository % 2 === 0; round++) taken.push({ round: new Map([[round, {}]]) })
  return new Uint8Array([repository])
}
