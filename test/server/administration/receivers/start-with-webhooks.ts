// A server with webhooks, and what they are made of.
import { ChangedReceiver, CreatedReceiver } from '@floe/contract'
import type { Test } from 'tap'
import type { ServerOptions } from '../../start-server.ts'
import { startAdministration } from '../start-administration.ts'

export const webhook = { kind: 'webhook', url: 'https://127.0.0.1/hook', alias: 'tiles', events: ['NewCommit'] }
export const path = 'repos/weather/receivers'

/** A server, and ways to make and change webhooks of it that succeed. */
export async function startWithWebhooks(t: Test, options: ServerOptions = {}) {
  const server = await startAdministration(t, options)
  const create = async (members: object = {}) => {
    const response = await server.administer('POST', path, { ...webhook, ...members })
    t.equal(response.status, 201)
    const created = CreatedReceiver.parse(await response.json())
    if (created.kind !== 'webhook') throw new Error('another kind was made')
    return created
  }
  const change = async (id: string, members: object) => {
    const response = await server.administer('PATCH', `${path}/${id}`, { kind: 'webhook', ...members })
    t.equal(response.status, 200)
    return ChangedReceiver.parse(await response.json())
  }
  return { server, create, change }
}

/** Status and problem of an answer, in brief. */
export async function readRefusal(answer: Promise<Response>) {
  const response = await answer
  const { type, detail, errors = [] } = await response.json()
  return { status: response.status, type, detail, pointers: errors.map(({ pointer }: { pointer: string }) => pointer) }
}
