// `npm run try-receiver`: sends notifications from a real service to a real receiver on this machine, and shows the
// requests and their verification. All files are in a temporary directory, which is deleted at the end.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Arrival,
  type LocalReceiver,
  readCertificate,
  type SharedSecrets,
  startReceiver,
} from './try-receiver/receiver.ts'
import { describeArrival } from './try-receiver/report.ts'
import { sendForgeries, type Target } from './try-receiver/send-forgeries.ts'
import { type LocalService, startService } from './try-receiver/local-service.ts'

/** The longest run, in milliseconds; it usually takes a few seconds. */
const limitMs = 60_000

class UnexpectedResultError extends Error {
  override name = 'UnexpectedResultError'
}

async function tryReceiver(directory: string, signal: AbortSignal): Promise<void> {
  const certificate = await readCertificate()
  const secrets = {
    secretToken: randomBytes(24).toString('base64url'),
    signingSecret: `whsec_${randomBytes(32).toString('base64')}`,
  }
  const receiver = await startReceiver(certificate, secrets, signal)
  try {
    const target = { url: receiver.url, authority: certificate.authority }
    const service = await startService(directory, { ...target, ...secrets }, signal)
    try {
      introduce(receiver, service)
      const last = await showNotifications(receiver, service, secrets)
      await showRefusals(last, target, signal)
    } finally {
      await service.stop()
    }
  } finally {
    receiver.close()
  }
}

function introduce({ url }: LocalReceiver, { origin, notifications }: LocalService): void {
  printHeading('A receiver and a service on this machine')
  say(`The receiver listens at ${url}, with a certificate that only Floe trusts here.`)
  say(`Floe serves copies of the sample repositories at ${origin}/v1. Its floe.yaml declares the receiver:\n`)
  say(notifications)
}

/** Shows two notifications. @returns the last one */
async function showNotifications(
  receiver: LocalReceiver,
  service: LocalService,
  secrets: SharedSecrets,
): Promise<Arrival> {
  printHeading('The first notification: Floe has found the head of main of acme/weather for the first time')
  await showNotification(await receiver.next(), receiver, secrets)
  printHeading('Two commits move the head of main')
  await service.commit()
  const moved = await receiver.next()
  await showNotification(moved, receiver, secrets)
  return moved
}

async function showNotification(arrival: Arrival, { url }: LocalReceiver, secrets: SharedSecrets): Promise<void> {
  say(`${await describeArrival(arrival, new URL(url).pathname, secrets)}\n`)
  if (arrival.status !== 204) throw new UnexpectedResultError(`the receiver answered ${arrival.status}, not 204`)
}

async function showRefusals(genuine: Arrival, target: Target, signal: AbortSignal): Promise<void> {
  printHeading('Requests that do not come from Floe are refused')
  for (const { what, status, detail } of await sendForgeries(genuine, target, signal)) {
    say(`${what}\n  answered ${status}: ${detail}`)
    if (status !== 401) throw new UnexpectedResultError(`the receiver answered ${status}, not 401`)
  }
}

function printHeading(text: string): void {
  say(`\n== ${text} ==\n`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

const interrupted = new AbortController()
// `on`, not `once`: npm may forward a signal that the terminal has already sent to this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort())
const limit = AbortSignal.timeout(limitMs)
const directory = await mkdtemp(join(tmpdir(), 'floe-try-receiver-'))
try {
  await tryReceiver(directory, AbortSignal.any([interrupted.signal, limit]))
  say('\nEverything worked. To write your own receiver, read docs/using/receiving.md.')
} catch (error) {
  // Interrupted steps fail with many kinds of errors.
  if (interrupted.signal.aborted) process.exitCode = 130
  else {
    process.exitCode = 1
    if (limit.aborted) process.stderr.write(`no notification arrived within ${limitMs / 1000} s\n`)
    else if (error instanceof UnexpectedResultError) process.stderr.write(`${error.message}\n`)
    else throw error
  }
} finally {
  await rm(directory, { recursive: true })
}
