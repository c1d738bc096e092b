// A thread that never ends a task about the groups `compute` and `read`, and says when it has begun one. It answers all
// others with the name of their group.
import { BroadcastChannel } from 'node:worker_threads'
import { writeBody, type JsonBytes } from '@floe/storage/json'
import type { ReaderTask, Sent } from '../../../../server/reading/threads/reader-messages.ts'
import { SharedSignal } from '../../../../server/reading/threads/shared-signal.ts'
import { answerCalls } from '../../../../server/reading/threads/thread-calls.ts'

const begun = new BroadcastChannel('begun')
begun.unref()

function runTask({ question, cancellation }: Sent<ReaderTask>): JsonBytes<unknown> {
  const group = 'group' in question ? question.group : ''
  new SharedSignal(cancellation).isReading = group === 'read'
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- only windows have origins, not threads
  begun.postMessage(group)
  const rounds = ['compute', 'read'].includes(group) ? Infinity : 0
  for (let round = 0; round < rounds; round++);
  return writeBody(group)
}

answerCalls(runTask)
