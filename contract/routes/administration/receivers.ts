// Webhooks and chats, of repositories and of organisations. Their routes differ only in schemas and words.
import type { z } from 'zod'
import {
  c,
  changeProblems,
  meta,
  orgPrefix,
  problems,
  repoAdministrationProblems,
  repoPrefix,
  repositoryReadProblems,
} from '../../dsl.ts'
import type { ReceiverKind } from '../../lists.ts'
import * as chat from '../../schemas/administration/receivers/chat.ts'
import { TestResult } from '../../schemas/administration/receivers/receiver.ts'
import { Replay, ReplaySelection, StartedReplay } from '../../schemas/administration/receivers/replay.ts'
import * as webhook from '../../schemas/administration/receivers/webhook.ts'
import {
  IfMatch,
  OfAdministeredRepository,
  OfOrg,
  OfOrgReceiver,
  OfReceiver,
  type RouteScope,
} from '../../addresses.ts'

/** Where receivers are. */
type ReceiverScope = RouteScope & {
  /** Ends "the last commit of `main`" in the description of a test. */
  readonly ofTested: string
}

const inRepository = {
  noun: 'repository',
  ofTested: '',
  collection: OfAdministeredRepository,
  item: OfReceiver,
} as const satisfies ReceiverScope

const inOrganisation = {
  noun: 'organisation',
  ofTested: ' in the repository whose head moved last',
  collection: OfOrg,
  item: OfOrgReceiver,
} as const satisfies ReceiverScope

/** The schemas of one kind of receiver. */
type Schemas = {
  readonly list: z.ZodType
  readonly saved: z.ZodType
  readonly creation: z.ZodType
  readonly created: z.ZodType
  readonly change: z.ZodType
  readonly changed: z.ZodType
  readonly toTest: z.ZodType
}

// In an organisation, only a test answers `repository-not-found`: when no repository has a commit.
const changing = [...repoAdministrationProblems, ...changeProblems] as const
const editing = [...changing, 'receiver-not-found', 'declared-in-file', 'precondition-failed'] as const

const creationNotes = {
  webhook: 'It is sent a signed request for each event. `signing_secret` is not shown again.',
  chat: 'It is sent one line of text for each event. The path of its URL is a secret and is never shown.',
}

const testProblems = problems(
  ...changing,
  ...repositoryReadProblems,
  'ref-not-found',
  'snapshot-gone',
  'receiver-not-found',
  'declared-in-file',
)

// In the functions below, a property of a type parameter gets its type explicitly. Otherwise, its type would be
// ZodType.

/** The routes that both kinds have, without their path prefix. */
function receiverRoutes<Scope extends ReceiverScope, Forms extends Schemas>(
  kind: ReceiverKind,
  scope: Scope,
  schemas: Forms,
) {
  return { ...collectionRoutes(kind, scope, schemas), ...itemRoutes(kind, scope, schemas) }
}

function collectionRoutes<Scope extends ReceiverScope, Forms extends Schemas>(
  kind: ReceiverKind,
  scope: Scope,
  schemas: Forms,
) {
  const collection: Scope['collection'] = scope.collection
  const forms: Pick<Forms, 'list' | 'creation' | 'created' | 'toTest'> = schemas
  const metadata = meta({ tag: `${kind}s`, access: 'admin' })
  return {
    list: {
      method: 'GET',
      path: '',
      pathParams: collection,
      responses: { 200: forms.list, ...problems(...repoAdministrationProblems) },
      summary: `List ${kind}s`,
      description: `Returns all ${kind}s of the ${scope.noun}, oldest first, without their secrets.`,
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: collection,
      body: forms.creation,
      responses: { 201: forms.created, ...problems(...changing, 'alias-in-use', 'too-many-receivers') },
      summary: `Add a ${kind}`,
      description:
        `Adds a ${kind} to the ${scope.noun}. ${creationNotes[kind]} \`warnings\` lists what to check, such as a ` +
        'host without an address.',
      metadata: meta({ ...metadata, headers: ['etag', 'location'] }),
    },
    test: {
      method: 'POST',
      path: '/test',
      pathParams: collection,
      body: forms.toTest,
      responses: { 200: TestResult, ...testProblems },
      summary: `Test a ${kind}`,
      description:
        `Sends a test once to a saved ${kind}, or to one that is not saved yet: the last commit of ` +
        `\`main\`${scope.ofTested}. Returns what was sent and what was answered: 200 with \`ok\` false if the ` +
        'receiver failed. No delivery is recorded. At most 10 tests per minute and repository.',
      metadata,
    },
  } as const
}

function itemRoutes<Scope extends ReceiverScope, Forms extends Schemas>(
  kind: ReceiverKind,
  scope: Scope,
  schemas: Forms,
) {
  const item: Scope['item'] = scope.item
  const forms: Pick<Forms, 'saved' | 'change' | 'changed'> = schemas
  const metadata = meta({ tag: `${kind}s`, access: 'admin' })
  const versioned = meta({ ...metadata, headers: ['etag'] })
  return {
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: item,
      responses: { 200: forms.saved, ...problems(...repoAdministrationProblems, 'receiver-not-found') },
      summary: `Get a ${kind}`,
      description:
        `Returns one ${kind} without its secrets. Send the \`ETag\` in \`If-Match\` to change or delete this ` +
        'version only.',
      metadata: versioned,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: item,
      headers: IfMatch,
      body: forms.change,
      responses: { 200: forms.changed, ...problems(...editing, 'alias-in-use') },
      summary: `Change a ${kind}`,
      description:
        'Changes the fields that are sent and leaves the others as they are. While it is disabled, its deliveries ' +
        'are held for at most 90 days; `resume` says which are sent when it is enabled again. Answers 409 for a ' +
        `${kind} that the configuration file declares.`,
      metadata: versioned,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: item,
      headers: IfMatch,
      responses: { 204: c.noBody(), ...problems(...editing) },
      summary: `Delete a ${kind}`,
      description:
        `Deletes the ${kind} and all its deliveries, sent or not. Answers 409 for a ${kind} that the ` +
        'configuration file declares.',
      metadata,
    },
  } as const
}

/** The routes that only webhooks have, without their path prefix. */
function webhookRoutes<Scope extends ReceiverScope, Rotated extends z.ZodType>(scope: Scope, rotated: Rotated) {
  const item: Scope['item'] = scope.item
  const metadata = meta({ tag: 'webhooks', access: 'admin' })
  const replay = { path: '/:id/replay', pathParams: item, metadata } as const
  return {
    rotateSecret: {
      method: 'POST',
      path: '/:id/rotate-secret',
      pathParams: item,
      body: c.noBody(),
      responses: { 200: rotated, ...problems(...changing, 'receiver-not-found', 'declared-in-file') },
      summary: 'Rotate the signing secret',
      description:
        'Returns a new signing secret, which is not shown again. For 24 hours, requests are signed with both the ' +
        'old and the new one.',
      metadata: meta({ ...metadata, headers: ['etag'] }),
    },
    replay: {
      ...replay,
      method: 'POST',
      body: ReplaySelection,
      responses: {
        202: StartedReplay,
        ...problems(...changing, 'receiver-not-found', 'receiver-disabled', 'too-many-deliveries'),
      },
      summary: 'Replay events',
      description:
        'Sends the events of a period again, oldest first and each once, with the same `webhook-id` and body: ' +
        'those that the webhook failed to accept, or with `all` every one. A receiver that ignores known ids, as it ' +
        'should, ignores what it has accepted; with `as_new`, each gets a new id. New events go first. At most ' +
        '10,000 at once. If the webhook is disabled, the answer is 409.',
    },
    getReplay: {
      ...replay,
      method: 'GET',
      responses: { 200: Replay, ...problems(...repoAdministrationProblems, 'receiver-not-found') },
      summary: 'Get the progress of replays',
      description: 'Returns how many deliveries still wait to be sent again.',
    },
    cancelReplay: {
      ...replay,
      method: 'DELETE',
      responses: { 204: c.noBody(), ...problems(...changing, 'receiver-not-found') },
      summary: 'Cancel replays',
      description:
        'Cancels what still waits to be sent again; the deliveries keep their states, and copies of `as_new` are ' +
        'deleted. New events are not affected.',
    },
  } as const
}

/** Webhooks of a repository. They receive the JSON notification. */
export const webhooks = c.router(
  {
    ...receiverRoutes('webhook', inRepository, webhook.ofRepository),
    ...webhookRoutes(inRepository, webhook.RotatedWebhook),
  },
  { pathPrefix: `${repoPrefix}/webhooks` },
)

/** Chats of a repository. They receive one line of text for each event. */
export const chats = c.router(receiverRoutes('chat', inRepository, chat.ofRepository), {
  pathPrefix: `${repoPrefix}/chats`,
})

/** Webhooks of an organisation, for administrators of all its repositories. */
export const orgWebhooks = c.router(
  {
    ...receiverRoutes('webhook', inOrganisation, webhook.ofOrganisation),
    ...webhookRoutes(inOrganisation, webhook.RotatedOrgWebhook),
  },
  { pathPrefix: `${orgPrefix}/webhooks` },
)

/** Chats of an organisation. */
export const orgChats = c.router(receiverRoutes('chat', inOrganisation, chat.ofOrganisation), {
  pathPrefix: `${orgPrefix}/chats`,
})
