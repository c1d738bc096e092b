// `floe listen`: reads the events of a service and sends each to a program on this machine, signed like a delivery to a
// webhook. For development: the service needs no webhook and no connection to this machine. Does not repeat a failed
// attempt.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { EventSelection } from '@floe/client'
import type { Notification as ReceivedNotification } from '@floe/client/receiver'
import { Notification, SigningSecret, StreamedEventName } from '@floe/contract'
import { defaultFilter } from '@floe/contract/lists'
import type { OpenReceiver } from '@floe/storage/database'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { suggestName } from '../../text/nearest-name.ts'
import { writeRequest } from '../../notifications/deliver/write-request.ts'
import { commandVariables } from '../configuration/command-variables.ts'
import { type FlagValues, type CommandLine, explainNoAnswer, ServiceError, UsageError } from './command.ts'
import { explainServiceFailure, openClient } from './access/open-client.ts'
import { escapeControls, type Terminal } from './terminal.ts'

/** How long the program may take to answer, in milliseconds: as long as a webhook. */
const timeoutMs = 5_000

/** Which events are sent; all by default. The service checks what is not checked here. */
const Selection = z.object({
  repo: z
    .array(z.string())
    .max(1, 'can name one repository')
    .transform(([repo]) => repo)
    .optional(),
  branches: z.array(z.string()).optional(),
  events: z.array(StreamedEventName).default([...StreamedEventName.options]),
  after: z.string().optional(),
})

/**
 * `floe listen --to URL`; resolves when the process must stop. With `--trigger`, sends one example of an event instead.
 */
export async function listen({ values }: CommandLine, terminal: Terminal): Promise<void> {
  const { receiver, isSecretGiven } = readReceiver(values, terminal)
  if (values.trigger !== undefined) return sendExample(values.trigger, receiver, terminal)
  const { stop } = terminal
  const selection = readSelection(values)
  const floe = await openClient('listen', values, terminal.environment)
  const secret = isSecretGiven ? 'the given secret' : receiver.signingSecrets.join()
  terminal.out(`sending to ${receiver.url}, signed with ${secret}\n`)
  // For example, the person has to sign in again in another terminal.
  const onReconnect = ({ message }: Error) => terminal.err(`floe: warning: ${escapeControls(message)}\n`)
  try {
    let sequence = 0
    for await (const { id, notification } of floe.events(selection, { signal: stop, onReconnect })) {
      const outcome = await send({ deliveryId: `listen_${id}`, notification, sequence: ++sequence }, receiver, stop)
      if (!stop.aborted) terminal.out(escapeControls(`${id} ${describe(notification)}: ${outcome}`) + '\n')
    }
  } catch (error) {
    if (stop.aborted) return
    explainServiceFailure(error)
  }
}

/** Sends the example of an event that the contract has. */
async function sendExample(name: string, receiver: OpenReceiver, terminal: Terminal): Promise<void> {
  const examples = z.array(Notification).parse(Notification.meta()?.['examples'])
  const example = examples.find(({ event }) => event === name)
  if (example === undefined) {
    const names = [...new Set(examples.map(({ event }) => event))]
    throw new UsageError(`there is no event ${name}${suggestName(name, names)}; there are ${names.join(', ')}`)
  }
  const deliveryId = `listen_${randomUUID()}`
  const outcome = await send({ deliveryId, notification: example, sequence: 1, isTest: true }, receiver, terminal.stop)
  terminal.out(`${describe(example)}: ${outcome}\n`)
  if (!/^2\d\d$/.test(outcome)) throw new ServiceError(`${receiver.url} did not take the example`)
}

/** Reads where to send, and the secrets. The examples of receivers read the same environment variables. */
function readReceiver({ to, secret }: FlagValues, { environment }: Terminal) {
  if (to === undefined) throw new UsageError('listen needs --to')
  if (!/^https?:\/\//.test(to) || !URL.canParse(to)) throw new UsageError('--to must be an http or https URL')
  const given = secret ?? environment[commandVariables.signingSecret]
  const signingSecret = given ?? keepSigningSecret(environment)
  const { error } = SigningSecret.safeParse(signingSecret)
  if (error) throw new UsageError(`the signing secret ${error.issues[0]?.message}`)
  const secretToken = environment[commandVariables.secretToken] ?? null
  const receiver: OpenReceiver = {
    kind: 'webhook',
    url: to,
    service: null,
    filter: defaultFilter,
    secretToken,
    headers: {},
    signingSecrets: [signingSecret],
  }
  return { receiver, isSecretGiven: given !== undefined }
}

/** Returns the signing secret of the last run, so that the program need not be told a new one. */
function keepSigningSecret(environment: Terminal['environment']): string {
  const file = join(environment['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), 'floe/signing-secret')
  mkdirSync(dirname(file), { recursive: true })
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  try {
    writeFileSync(file, `${secret}\n`, { flag: 'wx', mode: 0o600 })
    return secret
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return readFileSync(file, 'utf8').trim()
  }
}

/** Reads which events are sent. */
function readSelection({ repo, branches, events, after }: FlagValues): EventSelection {
  const selection = Selection.safeParse({ repo, branches, events, after })
  if (selection.success) return selection.data
  const { path, message } = selection.error.issues[0] ?? { path: [], message: '' }
  throw new UsageError(`--${String(path[0])} ${message}`)
}

type Sending = {
  readonly deliveryId: string
  readonly notification: ReceivedNotification
  readonly sequence: number
  readonly isTest?: boolean
}

/** Sends an event once. Returns the status of the answer, or why there is no answer. */
async function send(
  { deliveryId, notification, sequence, isTest = false }: Sending,
  receiver: OpenReceiver,
  stop: AbortSignal,
): Promise<string> {
  const event = { payload: JSON.stringify(notification), line: '', sequence }
  const message = { deliveryId, attempt: 1, event, isTest }
  const { url, headers, body } = writeRequest(message, receiver, manifest.version, Date.now())
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
  try {
    const response = await fetch(url, { method: 'POST', headers: { ...headers }, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    return `no answer (${explainNoAnswer(error)})`
  }
}

function describe({ event, details }: ReceivedNotification): string {
  const ref = 'tag' in details ? details.tag : 'branch' in details ? details.branch : ''
  const snapshotId = 'snapshot_id' in details ? details.snapshot_id : ''
  return [event, `${details.org_name}/${details.repo_name}`, ref, snapshotId].filter(Boolean).join(' ')
}
