// The routes that webhooks and chats of repositories and of organisations share. They differ only in schemas and words.
import type { z } from 'zod'
import { c, changeProblems, meta, problems, repoAdministrationProblems, repositoryReadProblems } from '../../dsl.ts'
import { Replay, ReplaySelection, StartedReplay } from '../../schemas/administration/replay.ts'
import { TestResult } from '../../schemas/administration/receiver.ts'
import { IfMatch, type Place } from '../addresses.ts'

type Tag = 'webhooks' | 'chats'

/** Where receivers are: in a repository, or in an organisation. */
export type ReceiverPlace<Collection extends z.ZodType, Item extends z.ZodType> = Place<Collection, Item> & {
  /** Whose last commit a test sends, if that must be said. */
  readonly sample: string
}

// The routes of an organisation answer `repository-not-found` only to a test, of an organisation without commits.
const changing = [...repoAdministrationProblems, ...changeProblems] as const
const editing = [...changing, 'receiver-not-found', 'declared-in-file', 'precondition-failed'] as const

const creationNotes = {
  webhooks: 'It is sent a signed request for each event. `signing_secret` is not shown again.',
  chats: 'It is sent one line of text for each event. The path of its URL is a secret and is never shown.',
}

/** Routes of all receivers of one kind, without their path prefix. */
export function collectionRoutes<
  List extends z.ZodType,
  Creation extends z.ZodType,
  Created extends z.ZodType,
  Tested extends z.ZodType,
  Params extends z.ZodType,
>(
  tag: Tag,
  place: ReceiverPlace<Params, z.ZodType>,
  schemas: { readonly list: List; readonly creation: Creation; readonly created: Created; readonly tested: Tested },
) {
  const noun = tag.slice(0, -1)
  const metadata = meta({ tag, access: 'admin' })
  return {
    list: {
      method: 'GET',
      path: '',
      pathParams: place.collection,
      responses: { 200: schemas.list, ...problems(...repoAdministrationProblems) },
      summary: `List ${tag}`,
      description: `Returns all ${tag} of the ${place.noun}, oldest first, without their secrets.`,
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: place.collection,
      body: schemas.creation,
      responses: { 201: schemas.created, ...problems(...changing, 'alias-in-use', 'too-many-receivers') },
      summary: `Add a ${noun}`,
      description: `Adds a ${noun} to the ${place.noun}. ${creationNotes[tag]} \`warnings\` lists what to check, such as a host without an address.`,
      metadata: meta({ ...metadata, headers: ['etag', 'location'] }),
    },
    test: {
      method: 'POST',
      path: '/test',
      pathParams: place.collection,
      body: schemas.tested,
      responses: { 200: TestResult, ...testProblems },
      summary: `Test a ${noun}`,
      description:
        `Sends the last commit of \`main\`${place.sample} once to a saved ${noun}, or to one that is not saved yet. Returns what was sent and what was ` +
        'answered: 200 with `ok` false if the receiver failed. No delivery is recorded. At most 10 tests per minute and repository.',
      metadata,
    },
  } as const
}

/** Routes of one receiver, without their path prefix. */
export function itemRoutes<
  One extends z.ZodType,
  Change extends z.ZodType,
  Changed extends z.ZodType,
  Params extends z.ZodType,
>(
  tag: Tag,
  place: ReceiverPlace<z.ZodType, Params>,
  schemas: { readonly one: One; readonly change: Change; readonly changed: Changed },
) {
  const noun = tag.slice(0, -1)
  const metadata = meta({ tag, access: 'admin' })
  const versioned = meta({ ...metadata, headers: ['etag'] })
  return {
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: place.item,
      responses: { 200: schemas.one, ...problems(...repoAdministrationProblems, 'receiver-not-found') },
      summary: `Get a ${noun}`,
      description: `Returns one ${noun} without its secrets. Send the \`ETag\` in \`If-Match\` to change or delete this version only.`,
      metadata: versioned,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: place.item,
      headers: IfMatch,
      body: schemas.change,
      responses: { 200: schemas.changed, ...problems(...editing, 'alias-in-use') },
      summary: `Change a ${noun}`,
      description:
        'Changes the members that are sent and leaves the others as they are. While it is disabled, deliveries are held for at most 90 days; ' +
        `\`resume\` says which are sent when it is enabled again. Answers 409 for a ${noun} that the configuration file declares.`,
      metadata: versioned,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: place.item,
      headers: IfMatch,
      responses: { 204: c.noBody(), ...problems(...editing) },
      summary: `Delete a ${noun}`,
      description: `Deletes the ${noun} and all its deliveries, sent or not. Answers 409 for a ${noun} that the configuration file declares.`,
      metadata,
    },
  } as const
}

const testProblems = problems(
  ...changing,
  ...repositoryReadProblems,
  'ref-not-found',
  'snapshot-gone',
  'receiver-not-found',
  'declared-in-file',
)

/** The route that replaces a signing secret, without its path prefix. */
export function rotateSecret<Rotated extends z.ZodType, Params extends z.ZodType>(
  place: ReceiverPlace<z.ZodType, Params>,
  rotated: Rotated,
) {
  return {
    method: 'POST',
    path: '/:id/rotate-secret',
    pathParams: place.item,
    body: c.noBody(),
    responses: { 200: rotated, ...problems(...changing, 'receiver-not-found', 'declared-in-file') },
    summary: 'Rotate the signing secret',
    description:
      'Returns a new signing secret, which is not shown again. For 24 hours, requests are signed with both the old and the new one.',
    metadata: meta({ tag: 'webhooks', access: 'admin', headers: ['etag'] }),
  } as const
}

/** Routes of replays, without their path prefix. */
export function replayRoutes<Params extends z.ZodType>(place: ReceiverPlace<z.ZodType, Params>) {
  const metadata = meta({ tag: 'webhooks', access: 'admin' })
  const shared = { path: '/:id/replay', pathParams: place.item, metadata } as const
  return {
    replay: {
      ...shared,
      method: 'POST',
      body: ReplaySelection,
      responses: {
        202: StartedReplay,
        ...problems(...changing, 'receiver-not-found', 'receiver-disabled', 'too-many-deliveries'),
      },
      summary: 'Replay events',
      description:
        'Sends the events of a time again, oldest first and each once, with the same `webhook-id` and body: those that the webhook failed to ' +
        'accept, or with `all` every one. New events go first. At most 10,000 at once. If the webhook is disabled, the answer is 409.',
    },
    getReplay: {
      ...shared,
      method: 'GET',
      responses: { 200: Replay, ...problems(...repoAdministrationProblems, 'receiver-not-found') },
      summary: 'Get the progress of replays',
      description: 'Returns how many deliveries still wait to be sent again.',
    },
    cancelReplay: {
      ...shared,
      method: 'DELETE',
      responses: { 204: c.noBody(), ...problems(...changing, 'receiver-not-found') },
      summary: 'Cancel replays',
      description:
        'Drops what still waits to be sent again; the deliveries keep their states. New events are not affected.',
    },
  } as const
}
