import type { Replay, ReplaySelection, StartedReplay } from '@floe/contract'
import { cancelReplay, type ReceiverAddress, readReplay, replay } from '@floe/storage/database'
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
    replay: async ({ body, ...call }: Call & { readonly body: ReplaySelection }): Promise<StartedReplay> => {
      const options = { by: requireCaller(call.request), now: new Date(now()) }
      const address = await findAddress(call)
      const { queued, audit } = await replay(db, address, readSelection(body, options.now), options)
      logAudit(auditLog, audit)
      notifier.signal('deliveries')
      return { queued, ...(await read(address)) }
    },
    getReplay: async (call: Call) => read(await findAddress(call)),
    cancelReplay: async (call: Call): Promise<undefined> => {
      const options = { by: requireCaller(call.request), now: new Date(now()) }
      const audit = await cancelReplay(db, await findAddress(call), options)
      if (audit !== undefined) logAudit(auditLog, audit)
    },
  }
}

function readSelection({ since, until, all = false }: ReplaySelection, now: Date) {
  const selection = { since: new Date(since), until: until === undefined ? now : new Date(until), all }
  if (selection.since < selection.until) return selection
  throw explainInvalidRequest([{ pointer: '/body/since', message: 'must be before `until`, which is now by default' }])
}
