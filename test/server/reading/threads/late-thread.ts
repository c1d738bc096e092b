// A thread that says on a channel that it loads its program, and goes on when the channel says so. It answers each
// question with the name of its group.
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { writeBody } from '@floe/storage/json'
import type { ReaderTask } from '../../../../server/reading/threads/reader-messages.ts'
import { answerCalls } from '../../../../server/reading/threads/thread-calls.ts'

const channel = new BroadcastChannel('loading')
// Node's type misses that a channel is an event target.
const permission = once(channel as unknown as EventTarget, 'message')
// eslint-disable-next-line unicorn/require-post-message-target-origin -- only windows have origins, not threads
channel.postMessage('loading')
await permission
channel.close()

answerCalls(({ question }: ReaderTask) => writeBody('group' in question ? question.group : ''))
