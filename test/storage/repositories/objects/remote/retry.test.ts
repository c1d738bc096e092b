import { t } from 'tap'
import { RequestFault } from '../../../../../storage/repositories/objects/remote/request-fault.ts'
import { retry } from '../../../../../storage/repositories/objects/remote/retry.ts'

const { signal } = new AbortController()

/** Calls a function that fails with these faults, one after the other. */
async function ask(
  faults: readonly unknown[],
  random = 0.5,
): Promise<{ waits: number[]; tries: number; end: unknown }> {
  const waits: number[] = []
  let tries = 0
  const attempt = async () => {
    if (tries < faults.length) throw faults[tries++]
    tries++
    return 'answer'
  }
  const retryOptions = { random: () => random, wait: async (ms: number) => void waits.push(ms) }
  const end: unknown = await retry(attempt, signal, retryOptions).catch((error: unknown) => error)
  return { waits, tries, end }
}

t.test('a temporary failure is tried at most three times, after random waits that double', async (t) => {
  const fault = new RequestFault({ status: 503 })
  t.strictSame(await ask([]), { waits: [], tries: 1, end: 'answer' })
  t.strictSame(await ask([fault]), { waits: [100], tries: 2, end: 'answer' })
  t.strictSame(await ask([fault, fault]), { waits: [100, 200], tries: 3, end: 'answer' })
  t.strictSame(await ask([fault, fault, fault]), { waits: [100, 200], tries: 3, end: fault })
  t.strictSame((await ask([fault, fault], 0)).waits, [0, 0])
  t.strictSame((await ask([fault, fault], 0.25)).waits, [50, 100])
})

t.test('throttling, failing servers, timeouts and broken connections are temporary', async (t) => {
  for (const status of [408, 429, 500, 502, 503, 504])
    t.equal(new RequestFault({ status }).isTransient, true, `${status}`)
  for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'UND_ERR_SOCKET', 'TIMEOUT', 'ENDED_EARLY']) {
    t.equal(new RequestFault({ code }).isTransient, true, code)
  }
  t.equal(new RequestFault({ status: 400, code: 'RequestTimeout' }).isTransient, true)
})

t.test('refusals, wrong addresses and programming errors are not temporary', async (t) => {
  const lasting = [
    ...[301, 400, 401, 403, 404, 412, 501].map((status) => new RequestFault({ status })),
    ...['ENOTFOUND', 'ECONNREFUSED', 'CERT_HAS_EXPIRED'].map((code) => new RequestFault({ code })),
    new TypeError('a bug'),
  ]
  for (const fault of lasting) t.strictSame(await ask([fault]), { waits: [], tries: 1, end: fault })
})

t.test('an aborted wait throws the reason of its signal', async (t) => {
  const reason = new Error('enough')
  const leave = new AbortController()
  const wait = async () => {
    leave.abort(reason)
    throw new DOMException('The operation was aborted', 'AbortError')
  }
  const fail = () => Promise.reject(new RequestFault({ status: 503 }))
  await t.rejects(retry(fail, leave.signal, { random: Math.random, wait }), reason)
})
