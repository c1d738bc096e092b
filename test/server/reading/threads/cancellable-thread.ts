// A thread that works on a search, or a question about the group `troublesome`, until it is cancelled, and says on a
// channel that it has begun. It answers all others with the number of tasks that were cancelled in it.
import { BroadcastChannel } from 'node:worker_threads'
import { writeBody, type JsonBytes } from '@floe/storage/json'
import type { ReaderTask, Sent } from '../../../../server/reading/threads/reader-messages.ts'
import type { IndexTask } from '../../../../server/search/answer-search.ts'
import { SharedSignal } from '../../../../server/reading/threads/shared-signal.ts'
import { answerCalls } from '../../../../server/reading/threads/thread-calls.ts'

const begun = new BroadcastChannel('begun')
begun.unref()
let cancelled = 0

function runTask({ cancellation, ...task }: Sent<ReaderTask | IndexTask>): JsonBytes<unknown> {
  const group = task.kind === 'question' && 'group' in task.question ? task.question.group : ''
  if (task.kind === 'question' && group !== 'troublesome') return writeBody(`${cancelled} cancelled`)
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- only windows have origins, not threads
  begun.postMessage(group)
  const signal = new SharedSignal(cancellation)
  try {
    while (true) signal.throwIfAborted()
  } catch (error) {
    cancelled += 1
    throw error
  }
}

answerCalls(runTask)
