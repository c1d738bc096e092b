import { t } from 'tap'
import type { ReaderCall } from '../../../../server/reading/threads/reader-messages.ts'
import { CalledThread } from '../../../../server/reading/threads/thread-calls.ts'

const { signal } = new AbortController()

function askAbout(id: string): ReaderCall {
  return { kind: 'run', task: { id } } as ReaderCall // the program only repeats the id
}

t.test('an answer that a thread sent before its end is not taken for the answer of the next thread', async (t) => {
  const answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const thread = new CalledThread(new URL('echoing-thread.ts', import.meta.url), { workerData: answers })
  t.teardown(() => thread.close())
  await thread.call(askAbout('start'), [], signal)
  const leaving = new AbortController()
  const first = thread.call(askAbout('first'), [], leaving.signal)
  // The answer is sent meanwhile, and cannot arrive.
  for (let sent = 0; sent < 2; sent = Atomics.load(answers, 0)) Atomics.wait(answers, 0, sent)
  leaving.abort()
  await first.catch(() => undefined)
  t.equal(await thread.call(askAbout('second'), [], signal), 'second')
})
