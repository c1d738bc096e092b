// A thread that takes no task before it is told to on a channel, where it says that it waits for that. It answers with
// the name of the group.
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { writeBody, type JsonBytes } from '@floe/storage/json'
import type { ReaderTask } from '../../../../server/reading/threads/reader-messages.ts'
import { answerCalls } from '../../../../server/reading/threads/thread-calls.ts'

const channel = new BroadcastChannel('late')
// Node's type misses that a channel is an event target.
const told = once(channel as unknown as EventTarget, 'message')
// eslint-disable-next-line unicorn/require-post-message-target-origin -- only windows have origins, not threads
channel.postMessage('waiting')
await told
channel.close()

function runTask({ question }: ReaderTask): JsonBytes<unknown> {
  return writeBody('group' in question ? question.group : '')
}

answerCalls(runTask)
