import { t } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { body, createTestReceiver, post, readProblem } from './test-receiver.ts'

t.test('a body that is too long is refused, and not read when its length is announced', async (t) => {
  const { receive, handled } = createTestReceiver({ maxBytes: body.length })
  const told = post(body, { 'content-length': String(body.length + 1000) })
  t.match(await readProblem(t, await receive(told), 413), { detail: new RegExp(`${body.length} bytes`) })
  t.equal(told.bodyUsed, false)
  await readProblem(t, await receive(post(`${body}${' '.repeat(100)}`)), 413)
  t.strictSame(handled, [])
})

t.test('the limit counts bytes, and a body of exactly this length is accepted', async (t) => {
  const maxBytes = new TextEncoder().encode(body).length
  t.ok(maxBytes > body.length)
  t.equal((await createTestReceiver({ maxBytes }).receive(post(body))).status, 204)
  t.equal((await createTestReceiver({ maxBytes: maxBytes - 1 }).receive(post(body))).status, 413)
})

t.test('reading an endless body stops at the limit, whatever length it claims', async (t) => {
  for (const length of [undefined, '10', 'many']) {
    let given = 0
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          given += 1000
          controller.enqueue(new Uint8Array(1000))
        },
        cancel() {
          isCancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    const response = await createTestReceiver({ maxBytes: 10_000 }).receive(post(endless, { 'content-length': length }))
    await readProblem(t, response, 413)
    t.equal(given, 11_000)
    t.ok(isCancelled)
  }
})

t.test('a body in many pieces is put together', async (t) => {
  const pieces = new ReadableStream({
    start(controller) {
      for (const byte of new TextEncoder().encode(body)) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  t.equal((await createTestReceiver().receive(post(pieces))).status, 204)
})

t.test('a body that breaks off is refused', async (t) => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  t.match(await readProblem(t, await createTestReceiver().receive(post(broken)), 400), { detail: /broke off/ })
})

t.test('a body that was read before is a TypeError', async (t) => {
  const request = post(body)
  await request.text()
  await t.rejects(createTestReceiver().receive(request), { name: 'TypeError', message: /already read/ })
})

t.test('a body that is not a notification is refused with its wrong places', async (t) => {
  const { receive, handled } = createTestReceiver()
  const details = { ...notification.details, written_at: 'today', branch: '' }
  t.match(await readProblem(t, await receive(post(JSON.stringify({ ...notification, details }))), 400), {
    detail: /^Not a notification: /,
    errors: [{ pointer: '/details/branch' }, { pointer: '/details/written_at' }],
  })
  for (const text of ['', '{', 'null', '[]', '"NewCommit"']) {
    t.match(await readProblem(t, await receive(post(text)), 400), { errors: [{ pointer: '' }] })
  }
  for (const text of ['{}', '{"event":7}', '{"event":""}', '{"event":null,"details":{}}']) {
    t.match(await readProblem(t, await receive(post(text)), 400), { errors: [{ pointer: '/event' }] })
  }
  t.strictSame(handled, [])
})

t.test('the answer lists at most 20 wrong places', async (t) => {
  const details = { ...notification.details, commits: Array.from({ length: 1000 }, () => 0) }
  const problem = await readProblem(
    t,
    await createTestReceiver().receive(post(JSON.stringify({ ...notification, details }))),
    400,
  )
  t.equal(Object(problem).errors.length, 20)
})
