import { createReceiver, type ReceivedDelivery, type ReceiverOptions } from '@floe/client'
import type { NewCommitDetails } from '@floe/contract'
import type { Test } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { secretToken, signHeaders, signingSecret } from './sign-headers.ts'

/** The body of a notification. */
export const body = JSON.stringify(notification)
/** Options that check the secret token and the signature. */
export const trusted = { secretToken, signingSecrets: [signingSecret] }

type Handled = { readonly details: NewCommitDetails; readonly delivery: ReceivedDelivery }

/** Makes a receiver, and the list in which it keeps the notifications that it was given. */
export function createTestReceiver(options: Partial<ReceiverOptions> = {}) {
  const handled: Handled[] = []
  const onNewCommit = (details: NewCommitDetails, delivery: ReceivedDelivery) =>
    void handled.push({ details, delivery })
  return { receive: createReceiver({ ...trusted, onNewCommit, ...options }), handled }
}

/** Makes a request with this body, signed unless the body is a stream. `undefined` leaves a header out. */
export function post(text: BodyInit, headers: Record<string, string | undefined> = {}): Request {
  const sent = { ...signHeaders(typeof text === 'string' ? text : body), ...headers }
  const present = Object.entries(sent).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  )
  const init = { method: 'POST', headers: present, body: text, duplex: 'half' }
  return new Request('https://receiver.example.org/floe', init)
}

/** Checks that the answer is a problem with this status, and returns its body. */
export async function readProblem(t: Test, response: Response, status: number): Promise<unknown> {
  t.equal(response.status, status)
  t.equal(response.headers.get('content-type'), 'application/problem+json')
  const problem: unknown = await response.json()
  t.match(problem, { type: 'about:blank', title: /^[A-Z]/, status, detail: /./ })
  return problem
}
