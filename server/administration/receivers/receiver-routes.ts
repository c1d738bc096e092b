// The routes that webhooks and chats share. What differs between the two is passed in.
import { responseHeaders, type Warning } from '@floe/contract'
import {
  dropsSecretToken,
  newSigningSecret,
  type NewReceiver,
  type OpenReceiver,
  type Receiver,
  type ReceiverChange,
} from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import type { RateLimits } from '../../http/access/rate-limits.ts'
import { findRepository } from '../../catalog/find-repository.ts'
import type { AdministrationContext, RepositoryAddress } from '../administration-context.ts'
import type { AdministeredReceivers, ReceiverParams } from './administered-receivers.ts'
import { type Tagged, makeVersionTag } from '../../http/representation/version-tag.ts'

/** Where notifications are sent to, and with which secrets. */
type Target = Pick<NewReceiver, 'url' | 'service' | 'secretToken' | 'signingSecret'>

/** Changes of a {@link Target}; undefined leaves a member as it is. */
type TargetChange = Pick<ReceiverChange, 'url' | 'service' | 'secretToken'>

/** A value that is valid, and warnings about it. */
type Checked<Value> = { readonly value: Value; readonly warnings: Warning[] }

/** What differs between webhooks and chats. `check...` throw RequestProblem for a URL or a service that is not allowed. */
export type ReceiverRules<Creation, Change, Shown, ShownOnce> = {
  /** Turns a receiver into the body of an answer. */
  readonly show: (receiver: Receiver, held: number) => Shown
  /** Makes the members that only the answer to the creation has. */
  readonly showOnce: (added: { readonly signingSecret: string | null }) => ShownOnce
  readonly checkTarget: (body: Creation) => Promise<Checked<Target>>
  readonly checkChange: (body: Change) => Promise<Checked<TargetChange>>
}

type Call<Params, Body> = {
  readonly params: Params
  readonly body: Body
  readonly request: FastifyRequest
  readonly reply: Tagged
}
type Settings = Pick<NewReceiver, 'alias'> & {
  readonly events: NewReceiver['events']
  readonly enabled?: boolean | undefined
}
type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined } & Pick<
  ReceiverChange,
  'resume'
>

/** The body of a test: a saved receiver, perhaps with changes, or one that is not saved yet. */
type TestBody<Creation, Change> = (Change & { readonly id: string }) | (Creation & { readonly id?: undefined })

/**
 * What the routes of `contract.chats` do, and those of `contract.webhooks` that chats have too. Each returns what its body is written from.
 */
export function makeReceiverActions<Creation, Change, Shown extends object, ShownOnce extends object>(
  receivers: AdministeredReceivers,
  rules: ReceiverRules<Creation, Change, Shown, ShownOnce>,
  context: AdministrationContext,
  countTest: RateLimits['countTest'],
) {
  const { show, showOnce, checkTarget, checkChange } = rules
  const answer = (reply: Tagged, receiver: Receiver) => answerReceiver(reply, receivers, receiver, show)
  return {
    list: async ({ params }: { readonly params: RepositoryAddress }) => {
      const items = (await receivers.list(params)).map(({ receiver, held }) => show(receiver, held))
      return { items }
    },
    create: async ({ params, body, request, reply }: Call<RepositoryAddress, Creation & Settings>) => {
      const { alias, events, enabled: isEnabled = true } = body
      const { value: target, warnings } = await checkTarget(body)
      const added = await receivers.add(request, params, { ...target, alias, events, isEnabled })
      reply.header(responseHeaders.location.name, receivers.formatPath(params, added.receiver))
      return { ...(await answer(reply, added.receiver)), warnings, ...showOnce(added) }
    },
    test: async ({ params, body, request }: Call<RepositoryAddress, TestBody<Creation, Change>>) => {
      const entry = await findRepository(context, params)
      const receiver = await (body.id === undefined
        ? openUnsaved(receivers, body, rules)
        : openChanged(receivers, params, body, rules))
      await countTest(request)
      return receivers.test(request, { entry, id: body.id ?? null, receiver })
    },
    get: async ({ params, reply }: Pick<Call<ReceiverParams, never>, 'params' | 'reply'>) => {
      return answer(reply, await receivers.get(params))
    },
    update: async ({ params, body, request, reply }: Call<ReceiverParams, Change & SettingsChange>) => {
      const { alias, events, enabled: isEnabled, resume } = body
      const { value: target, warnings } = await checkChange(body)
      const change = { ...target, alias, events, isEnabled, resume }
      const { receiver, hasDroppedSecretToken } = await receivers.update(request, params, change)
      const all = hasDroppedSecretToken ? [...warnings, secretTokenDropped] : warnings
      return { ...(await answer(reply, receiver)), warnings: all }
    },
    delete: async ({ params, request }: Pick<Call<ReceiverParams, never>, 'params' | 'request'>) => {
      await receivers.delete(request, params)
    },
  }
}

/** Shows a receiver in an answer, and sets its version as `ETag`. */
export async function answerReceiver<Shown>(
  reply: Tagged,
  receivers: AdministeredReceivers,
  receiver: Receiver,
  show: (receiver: Receiver, held: number) => Shown,
): Promise<Shown> {
  reply.header(responseHeaders.etag.name, makeVersionTag(receiver.version))
  return show(receiver, await receivers.countHeld(receiver))
}

const secretTokenDropped: Warning = {
  code: 'secret-token-dropped',
  detail:
    'The Secret Token belonged to another scheme, host, port or path, so it was removed; send it again if it is still right',
}

/** Opens a saved receiver as it would be after the change. */
async function openChanged<Creation, Change>(
  receivers: AdministeredReceivers,
  params: RepositoryAddress,
  body: Change & { readonly id: string },
  { checkChange }: Pick<ReceiverRules<Creation, Change, object, object>, 'checkChange'>,
): Promise<OpenReceiver> {
  const saved = await receivers.openForCheck(params, body)
  const { value: change } = await checkChange(body)
  const { url = saved.url, service = saved.service } = change
  const { secretToken = dropsSecretToken(saved, change) ? null : saved.secretToken } = change
  return { ...saved, url, service, secretToken }
}

/** Opens a receiver that is not saved yet. If the body has no signing secret, the test is signed with a random one. */
async function openUnsaved<Creation, Change>(
  { kind }: AdministeredReceivers,
  body: Creation,
  { checkTarget }: Pick<ReceiverRules<Creation, Change, object, object>, 'checkTarget'>,
): Promise<OpenReceiver> {
  const { value: target } = await checkTarget(body)
  const { url, service, secretToken, signingSecret = newSigningSecret() } = target
  return { kind, url, service, secretToken, signingSecrets: kind === 'chat' ? [] : [signingSecret] }
}
