// `floe listen`: follows the events of a service and sends each to a program on this machine, signed as to a webhook. For development: the
// service needs no webhook and no way to this machine, and a failed attempt is not repeated.
import { randomBytes } from 'node:crypto'
import { type Client, createClient, FloeError, type RecordedEvent } from '@floe/client'
import { SigningSecret, StreamedEventName } from '@floe/contract'
import type { OpenReceiver } from '@floe/storage/database'
import manifest from '../../package.json' with { type: 'json' }
import { writeRequest } from '../../notifications/deliver/write-request.ts'
import { type FlagValues, type CommandLine, ServiceError, UsageError } from './command.ts'
import { escapeControls, type Terminal } from './terminal.ts'

/** How long the program may take to answer, in milliseconds: as long as a webhook. */
const timeoutMs = 5_000

/** `floe listen --to URL`; resolves when the process must stop. */
export async function listen({ values }: CommandLine, terminal: Terminal): Promise<void> {
  const { stop } = terminal
  const receiver = readReceiver(values, terminal.environment)
  const floe = openClient(values, terminal.environment)
  terminal.out(`sending to ${receiver.url}, signed with ${receiver.signingSecrets.join()}\n`)
  try {
    let sequence = 0
    for await (const event of floe.events({ events: StreamedEventName.options }, { signal: stop })) {
      const outcome = await send(event, ++sequence, receiver, stop)
      if (!stop.aborted) terminal.out(escapeControls(`${describe(event)}: ${outcome}`) + '\n')
    }
  } catch (error) {
    if (stop.aborted) return
    throw error instanceof FloeError ? new ServiceError(error.message, { cause: error }) : error
  }
}

/** Where to send; the variables are those that the examples of receivers read. */
function readReceiver({ to, secret }: FlagValues, environment: Terminal['environment']): OpenReceiver {
  if (to === undefined) throw new UsageError('listen needs --to')
  if (!/^https?:\/\//.test(to) || !URL.canParse(to)) throw new UsageError('--to must be an http or https URL')
  const signingSecret = secret ?? environment['FLOE_SIGNING_SECRET'] ?? `whsec_${randomBytes(32).toString('base64')}`
  const { error } = SigningSecret.safeParse(signingSecret)
  if (error) throw new UsageError(`the signing secret ${error.issues[0]?.message}`)
  const secretToken = environment['FLOE_SECRET_TOKEN'] ?? null
  return { kind: 'webhook', url: to, service: null, secretToken, signingSecrets: [signingSecret] }
}

function openClient({ url, org, deployment, key }: FlagValues, environment: Terminal['environment']): Client {
  if (org === undefined || deployment === undefined) throw new UsageError('listen needs --org and --deployment')
  const apiKey = key ?? environment['FLOE_API_KEY']
  try {
    return createClient({ baseUrl: url ?? 'http://127.0.0.1:8080/v1', org, deployment, apiKey })
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

/** Sends an event once. Returns the status of the answer, or why there is none. */
async function send(
  { id, notification }: RecordedEvent,
  sequence: number,
  receiver: OpenReceiver,
  stop: AbortSignal,
): Promise<string> {
  const event = { payload: JSON.stringify(notification), line: '', sequence }
  const message = { deliveryId: `listen_${id}`, attempt: 1, event }
  const { url, headers, body } = writeRequest(message, receiver, manifest.version, Date.now())
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
  try {
    const response = await fetch(url, { method: 'POST', headers: { ...headers }, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return `no answer (${cause instanceof Error ? cause.message : String(cause)})`
  }
}

function describe({ notification: { event, details } }: RecordedEvent): string {
  const ref = 'tag' in details ? details.tag : details.branch
  return `${event} ${details.org_name}/${details.repo_name} ${ref} ${details.snapshot_id ?? ''}`.trimEnd()
}
