import type { Replay, ReplaySelection, StartedReplay } from '@floe/contract'
import { cancelReplay, type ReceiverAddress, readReplay, replay } from '@floe/storage/database'
import { writeBody } from '@floe/storage/json'
import type { FastifyRequest } from 'fastify'
import { explainInvalidRequest } from '../../http/problems/validation-problem.ts'
import type { AdministrationContext, OwnerParams } from '../administration-context.ts'
import { logAudit, requireCaller } from '../audit.ts'

type Call = { readonly params: OwnerParams & { readonly id: string }; readonly request: FastifyRequest }

/** Makes the handlers of replays, which webhooks of repositories and of organisations share. */
export function makeReplayHandlers({ db, now, notifier, auditLog, findOwner }: AdministrationContext) {
  const findAddress = async (call: Call): Promise<ReceiverAddress> => ({
    ...(await findOwner(call)),
    kind: 'webhook',
    id: call.params.id,
  })
  const read = async (address: ReceiverAddress): Promise<Replay> => {
    const { waiting, nextEventAt } = await readReplay(db, address)
    return { waiting, next_event_at: nextEventAt?.toISOString() ?? null }
  }
  return {
    replay: async ({ body, ...call }: Call & { readonly body: ReplaySelection }) => {
      const options = { by: requireCaller(call.request), now: new Date(now()) }
      const address = await findAddress(call)
      const { queued, audit } = await replay(db, address, readSelection(body, options.now), options)
      logAudit(auditLog, audit)
      notifier.signal('deliveries')
      return { status: 202 as const, body: writeBody<StartedReplay>({ queued, ...(await read(address)) }) }
    },
    getReplay: async (call: Call) => {
      return { status: 200 as const, body: writeBody<Replay>(await read(await findAddress(call))) }
    },
    cancelReplay: async (call: Call) => {
      const options = { by: requireCaller(call.request), now: new Date(now()) }
      const audit = await cancelReplay(db, await findAddress(call), options)
      if (audit !== undefined) logAudit(auditLog, audit)
      return { status: 204 as const, body: undefined }
    },
  }
}

function readSelection({ since, until, all = false }: ReplaySelection, now: Date) {
  const selection = { since: new Date(since), until: until === undefined ? now : new Date(until), all }
  if (selection.since < selection.until) return selection
  throw explainInvalidRequest([{ pointer: '/body/since', message: 'must be before `until`, which is now by default' }])
}
