import type { Test } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { signHeaders } from './sign-headers.ts'
import { type Example, refusesLong } from './start-example.ts'

const body = JSON.stringify(notification)

/** What every example prints for the valid notification. */
export const receivedLine = 'msg_1: weather is now at P874YS3J196959RDHX7G'

/**
 * Tests what every receiver must do. Sends the valid notification last, so that anything printed earlier is noticed.
 */
export async function checkReceiver(t: Test, { send, printed }: Example) {
  const headers = signHeaders(body)
  const wrong = JSON.stringify({ ...notification, details: {} })
  for (const { status, ...init } of [
    { status: 401, headers: { ...headers, 'x-secret-token': 'another' }, body },
    { status: 400, headers: signHeaders(wrong), body: wrong },
    { status: 400, headers: signHeaders('{'), body: '{' },
  ]) {
    const response = await send({ method: 'POST', ...init })
    t.equal(response.status, status)
    await response.text()
  }
  const long = ' '.repeat(2_000_000)
  await refusesLong(t, send({ method: 'POST', headers: signHeaders(long), body: long }))
  const sample = JSON.stringify({ ...notification, details: { ...notification.details, repo_name: 'sample' } })
  const testHeaders = { ...signHeaders(sample), 'webhook-test': 'true' }
  t.equal((await send({ method: 'POST', headers: testHeaders, body: sample })).status, 204)
  t.equal((await send({ method: 'POST', headers, body })).status, 204)
  t.equal(await printed(), receivedLine, 'nothing else was handled')
}

/** Tests that a signature for another message is refused. */
export async function checkSignature(t: Test, { send }: Example) {
  const headers = { ...signHeaders(body), 'webhook-id': 'msg_2' }
  t.match(await (await send({ method: 'POST', headers, body })).json(), { status: 401, detail: /signature/ })
}
