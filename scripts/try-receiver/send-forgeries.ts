// Sends requests that do not come from Floe.
import { notificationHeaders } from '@floe/contract'
import { Agent, request } from 'undici'
import type { Arrival } from './receiver.ts'

/** The address of a receiver, and the certificate of its authority. */
export type Target = { readonly url: string; readonly authority: string }

/** A forged request and the receiver's answer. */
export type Refusal = { readonly what: string; readonly status: number; readonly detail: string }

/** Sends a genuine request twice more: with a changed body, and with another secret token. */
export async function sendForgeries(
  genuine: Arrival,
  { url, authority }: Target,
  signal: AbortSignal,
): Promise<Refusal[]> {
  const forgeries = [
    {
      what: 'the same request with another commit message',
      body: genuine.body.replace('"commit_message":"', '$&Not '),
      headers: {},
    },
    {
      what: 'the same request with another secret token',
      body: genuine.body,
      headers: { [notificationHeaders.secretToken]: 'guessed' },
    },
  ]
  const agent = new Agent({ connect: { ca: authority } })
  const refusals: Refusal[] = []
  try {
    for (const { what, body, headers } of forgeries) {
      const { 'content-length': _, host: __, connection: ___, ...others } = genuine.headers
      const response = await request(url, {
        method: 'POST',
        headers: { ...others, ...headers },
        body,
        dispatcher: agent,
        signal,
      })
      refusals.push({ what, status: response.statusCode, detail: await readDetail(response.body) })
    }
  } finally {
    await agent.close()
  }
  return refusals
}

/** The detail of a problem document (RFC 9457). */
async function readDetail(body: { readonly json: () => Promise<unknown> }): Promise<string> {
  return String(Object(await body.json()).detail)
}
