// `floe good`: waits until a service knows whether the head of a branch is good, for a pipeline that goes on only then.
import type { Client, GoodBranch } from '@floe/client'
import { waitOrAbort } from '@floe/storage/waiting'
import { nameLack } from '../../events/name-lack.ts'
import { systemTiming, type Timing } from '../../timing.ts'
import { Duration } from '../configuration/sections/quantities.ts'
import { type CommandLine, FailedChecksError, ServiceError, StillPendingError, UsageError } from './command.ts'
import { explainServiceFailure, openClient } from './access/open-client.ts'
import type { Terminal } from './terminal.ts'

/** Time between two questions, in milliseconds. */
const intervalMs = 2_000

/** `floe good REPO [BRANCH]`: prints the id of the head if it is good. */
export async function good(
  { values, operands }: CommandLine,
  terminal: Terminal,
  timing: Pick<Timing, 'after' | 'elapsed'> = systemTiming,
): Promise<void> {
  const [repo = '', branch = 'main'] = operands
  const wait = Duration.safeParse(values.wait ?? '0s')
  if (!wait.success) throw new UsageError(`--wait ${wait.error.issues[0]?.message}`)
  const floe = await openClient('good', values, terminal.environment)
  const until = timing.elapsed() + wait.data
  for (;;) {
    const found = await ask(floe, { repo, ref: branch }, terminal.stop)
    const { state, text } = describeHead(found)
    const leftMs = until - timing.elapsed()
    if (state === 'pending' && leftMs > 0) {
      await sleep(Math.min(intervalMs, leftMs), timing, terminal.stop)
      continue
    }
    if (values.json) terminal.out(`${JSON.stringify(found, null, 2)}\n`)
    else if (state === 'good') terminal.out(`${found.head_snapshot_id}\n`)
    if (state === 'good') return
    throw new (state === 'pending' ? StillPendingError : FailedChecksError)(`${repo} ${branch} ${text}`)
  }
}

async function ask(floe: Client, names: { readonly repo: string; readonly ref: string }, signal: AbortSignal) {
  try {
    const found = await floe.good(names, { signal })
    if (found.requires === null) throw new ServiceError(`nothing says which heads of ${names.ref} are good`)
    return found
  } catch (error) {
    signal.throwIfAborted()
    return explainServiceFailure(error)
  }
}

function describeHead({ head_snapshot_id: id, heads: [head], last_good_snapshot_id: lastGood }: GoodBranch) {
  if (head?.snapshot_id !== id) return { state: 'pending', text: `is at ${id}, which the service has not seen yet` }
  const kept = lastGood === null ? 'no head is good' : `the last good head is ${lastGood}`
  const is = head.state === 'pending' ? 'is not good yet' : 'is not good'
  return { state: head.state, text: `${is}: ${head.lacks.map(nameLack).join('; ')}; ${kept}` }
}

/** @throws the reason of the signal when that aborts */
async function sleep(ms: number, { after }: Pick<Timing, 'after'>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = after(ms, resolve)
  try {
    await waitOrAbort(promise, signal)
  } finally {
    cancel()
  }
}
