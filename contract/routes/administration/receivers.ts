// Receivers of repositories and of organisations: webhooks, which get the JSON notification, and chats, which get one
// line of text for each event. The routes of both owners differ only in words.
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
import {
  ChangedReceiver,
  CreatedReceiver,
  Receiver,
  ReceiverChange,
  ReceiverCreation,
  ReceiverList,
  ReceiverToTest,
} from '../../schemas/administration/receivers/receiver.ts'
import { Replay, ReplaySelection, StartedReplay } from '../../schemas/administration/receivers/replay.ts'
import { TestResult } from '../../schemas/administration/receivers/test-result.ts'
import { RotatedWebhook } from '../../schemas/administration/receivers/webhook.ts'
import {
  IfMatch,
  OfAdministeredRepository,
  OfOrg,
  OfOrgReceiver,
  OfReceiver,
  type RouteScope,
} from '../../schemas/addresses.ts'

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

const metadata = meta({ tag: 'receivers', access: 'admin' })
const versioned = meta({ ...metadata, headers: ['etag'] })

// In an organisation, only a test answers `repository-not-found`: when no repository has a commit.
const changing = [...repoAdministrationProblems, ...changeProblems] as const
const editing = [...changing, 'receiver-not-found', 'declared-in-file', 'precondition-failed'] as const
const finding = [...repoAdministrationProblems, 'receiver-not-found'] as const

const testProblems = problems(
  ...changing,
  ...repositoryReadProblems,
  'ref-not-found',
  'snapshot-gone',
  'receiver-not-found',
  'declared-in-file',
)

function receiverRoutes<Scope extends ReceiverScope>(scope: Scope) {
  return { ...collectionRoutes(scope), ...itemRoutes(scope), ...webhookRoutes(scope) }
}

// A property of a type parameter gets its type explicitly. Otherwise, its type would be ZodType.

function collectionRoutes<Scope extends ReceiverScope>(scope: Scope) {
  const collection: Scope['collection'] = scope.collection
  return {
    list: {
      method: 'GET',
      path: '',
      pathParams: collection,
      responses: { 200: ReceiverList, ...problems(...repoAdministrationProblems) },
      summary: 'List webhooks and chats',
      description: `Returns all webhooks and chats of the ${scope.noun}, oldest first, without their secrets.`,
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: collection,
      body: ReceiverCreation,
      responses: { 201: CreatedReceiver, ...problems(...changing, 'alias-in-use', 'too-many-receivers') },
      summary: 'Add a webhook or chat',
      description:
        `Adds a webhook or chat to the ${scope.noun}. A webhook is sent a signed request for each event; its ` +
        '`signing_secret` is not shown again. A chat is sent one line of text for each event; the path of its URL is ' +
        'a secret and is never shown. `warnings` lists what to check, such as a host without an address.',
      metadata: meta({ ...metadata, headers: ['etag', 'location'] }),
    },
    test: {
      method: 'POST',
      path: '/test',
      pathParams: collection,
      body: ReceiverToTest,
      responses: { 200: TestResult, ...testProblems },
      summary: 'Test a webhook or chat',
      description:
        'Sends a test once to a saved webhook or chat, or to one that is not saved yet: the last commit of ' +
        `\`main\`${scope.ofTested}. Returns what was sent and what was answered: 200 with \`ok\` false if the ` +
        'receiver failed. No delivery is recorded. At most 10 tests per minute and repository.',
      metadata,
    },
  } as const
}

function itemRoutes<Scope extends ReceiverScope>(scope: Scope) {
  const item: Scope['item'] = scope.item
  return {
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: item,
      responses: { 200: Receiver, ...problems(...finding) },
      summary: 'Get a webhook or chat',
      description:
        'Returns one webhook or chat without its secrets. Send the `ETag` in `If-Match` to change or delete this ' +
        'version only.',
      metadata: versioned,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: item,
      headers: IfMatch,
      body: ReceiverChange,
      responses: { 200: ChangedReceiver, ...problems(...editing, 'alias-in-use') },
      summary: 'Change a webhook or chat',
      description:
        'Changes the members that are sent and leaves the others as they are. `kind` must be sent, and cannot be ' +
        'changed. While the receiver is disabled, its deliveries are held for at most 90 days; `resume` says which ' +
        'are sent when it is enabled again. Answers 409 for a webhook or chat that the configuration file declares.',
      metadata: versioned,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: item,
      headers: IfMatch,
      responses: { 204: c.noBody(), ...problems(...editing) },
      summary: 'Delete a webhook or chat',
      description:
        'Deletes the webhook or chat and all its deliveries, sent or not. Answers 409 for one that the configuration ' +
        'file declares.',
      metadata,
    },
  } as const
}

/** The routes that only webhooks have. */
function webhookRoutes<Scope extends ReceiverScope>(scope: Scope) {
  const item: Scope['item'] = scope.item
  const replay = { path: '/:id/replay', pathParams: item, metadata } as const
  return {
    rotateSecret: {
      method: 'POST',
      path: '/:id/rotate-secret',
      pathParams: item,
      body: c.noBody(),
      responses: { 200: RotatedWebhook, ...problems(...changing, 'receiver-not-found', 'declared-in-file') },
      summary: 'Rotate the signing secret of a webhook',
      description:
        'Returns a new signing secret, which is not shown again. For 24 hours, requests are signed with both the ' +
        'old and the new one. A chat has none, and the answer is 404.',
      metadata: versioned,
    },
    replay: {
      ...replay,
      method: 'POST',
      body: ReplaySelection,
      responses: {
        202: StartedReplay,
        ...problems(...changing, 'receiver-not-found', 'receiver-disabled', 'too-many-deliveries'),
      },
      summary: 'Replay events to a webhook',
      description:
        'Sends the events of a period again, oldest first and each once, with the same `webhook-id` and body: ' +
        'those that the webhook failed to accept, or with `all` every one. A receiver that ignores known ids, as it ' +
        'should, ignores what it has accepted; with `as_new`, each gets a new id. New events go first. At most ' +
        '10,000 at once. If the webhook is disabled, the answer is 409.',
    },
    getReplay: {
      ...replay,
      method: 'GET',
      responses: { 200: Replay, ...problems(...finding) },
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

/** Webhooks and chats of a repository. */
export const receivers = c.router(receiverRoutes(inRepository), { pathPrefix: `${repoPrefix}/receivers` })

/** Webhooks and chats of an organisation, for administrators of all its repositories. */
export const orgReceivers = c.router(receiverRoutes(inOrganisation), { pathPrefix: `${orgPrefix}/receivers` })
