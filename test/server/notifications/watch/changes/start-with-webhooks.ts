// Webhooks that filter the commits of a repository whose `main` moves, and what they were sent.
import { EventEmitter, once } from 'node:events'
import { Notification } from '@floe/contract'
import type { Test } from 'tap'
import { startAdministration } from '../../../administration/start-administration.ts'
import { openMovableRefs } from '../../movable-refs.ts'
import { startReceiver } from '../../start-receiver.ts'

/**
 * Starts a server with a movable repository, and webhooks by alias.
 *
 * @param owner the address of the webhooks: those of the repository or of the organisation
 */
export async function startWithWebhooks(
  t: Test,
  owner: 'repos/sea/receivers' | 'receivers',
  webhooks: Readonly<Record<string, object>>,
) {
  const { source, point } = await openMovableRefs(t)
  const server = await startAdministration(t, { sources: [source] })
  const arrivals = new EventEmitter()
  const sent: { readonly alias: string; readonly details: Record<string, unknown> }[] = []
  const port = await startReceiver(t, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      sent.push({ alias: request.url?.slice(1) ?? '', details: { ...Notification.parse(JSON.parse(body)).details } })
      response.writeHead(204).end()
      arrivals.emit('request')
    })
  })
  const check = () => server.administer('POST', 'repos/sea/refresh')
  await check()
  for (const [alias, filter] of Object.entries(webhooks)) {
    const webhook = {
      kind: 'webhook',
      url: `https://127.0.0.1:${port}/${alias}`,
      alias,
      events: ['NewCommit'],
      ...filter,
    }
    t.equal((await server.administer('POST', owner, webhook)).status, 201)
  }
  await server.notifier.start()
  /** Moves a branch and returns what the webhooks are sent, by alias. */
  const move = async (branch: string, commit: string, count: number) => {
    await point(`branch.${branch}`, commit)
    await check()
    while (sent.length < count) await once(arrivals, 'request')
    const arrived = sent.splice(0)
    const moved = new Map(arrived.map(({ alias, details }) => [alias, details]))
    return { aliases: arrived.map(({ alias }) => alias).sort(), of: (alias: string) => moved.get(alias) ?? {} }
  }
  return { move, server }
}
