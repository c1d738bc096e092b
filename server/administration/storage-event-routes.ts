// Accepts messages of object stores about changed objects, so that a moved head is found before the next poll. Messages
// are not trusted: no URL in them is fetched, and they can only cause a check of a repository at a known location.
import {
  contract,
  EventBridgeEvent,
  EventGridEvents,
  PubSubPush,
  S3Event,
  SnsMessage,
  type StorageEvents,
} from '@floe/contract'
import { mainRefKey, repoKey } from '@floe/storage/icechunk'
import { mayRead } from '../http/access/caller.ts'
import { makeReadingSignal } from '../catalog/reading-signals.ts'
import { implementJson } from '../http/contract.ts'
import type { AdministrationContext } from './administration-context.ts'

/** The answer does not wait for the checks, because object stores wait only a few seconds for it. */
export function makeStorageEventRoutes(context: AdministrationContext) {
  return implementJson(contract.storageEvents, {
    report: async ({ params, body, request }) => {
      const locations = listLocations(body)
      const entries = (await context.catalogs.get(params.org)?.findAt(locations, makeReadingSignal)) ?? []
      const concerned = entries.filter(({ name }) => mayRead(request.caller, name))
      for (const entry of concerned) context.notifier.watcher.repositories.open(entry).noteChange()
      return { repositories: concerned.length, ...answerHandshake(context, body) }
    },
  })
}

/** Answers the first message of a subscription. The URL that SNS sends is never fetched, because it could be forged. */
function answerHandshake({ auditLog }: AdministrationContext, message: StorageEvents) {
  const grid = EventGridEvents.safeParse(message).data?.find(
    ({ eventType }) => eventType === 'Microsoft.EventGrid.SubscriptionValidationEvent',
  )
  if (grid?.data.validationCode !== undefined) return { validationResponse: grid.data.validationCode }
  const sns = SnsMessage.safeParse(message).data
  if (sns?.Type !== 'SubscriptionConfirmation') return {}
  const command = `aws sns confirm-subscription --topic-arn ${sns.TopicArn} --token ${sns.Token ?? ''}`
  const next = `Confirm the subscription: ${command}`
  // Logged for the administrator, because SNS does not show the answer.
  auditLog.info({ topic: sns.TopicArn }, next)
  return { next }
}

/** The directory of the head of `main` in version 1, with a slash at the end. */
const mainRefDirectory = mainRefKey.slice(0, mainRefKey.lastIndexOf('/') + 1)

/** Lists the locations at which a head may have moved, as `s3://BUCKET/PREFIX`. */
function listLocations(message: StorageEvents): ReadonlySet<string> {
  const locations = listObjects(message).map(findRepositoryLocation)
  return new Set(locations.filter((location) => location !== undefined))
}

/** Lists the locations of the objects that a message says were written. */
function listObjects(message: unknown): string[] {
  const s3 = S3Event.safeParse(message)
  if (s3.success) {
    const written = s3.data.Records.filter(({ eventName }) => /^(?:s3:)?ObjectCreated:/.test(eventName))
    return written.flatMap(({ s3: { bucket, object } }) =>
      decodeKey(object.key).map((key) => `s3://${bucket.name}/${key}`),
    )
  }
  const sns = SnsMessage.safeParse(message)
  if (sns.success) return sns.data.Type === 'Notification' ? listObjectsInText(sns.data.Message) : []
  const bridge = EventBridgeEvent.safeParse(message)
  if (bridge.success) {
    const { 'detail-type': type, detail } = bridge.data
    return type === 'Object Created' ? [`s3://${detail.bucket.name}/${detail.object.key}`] : []
  }
  const push = PubSubPush.safeParse(message)
  if (push.success) {
    const { eventType, bucketId, objectId } = push.data.message.attributes
    return eventType === 'OBJECT_FINALIZE' ? [`gs://${bucketId}/${objectId}`] : []
  }
  const grid = EventGridEvents.safeParse(message)
  return grid.success ? grid.data.flatMap(({ eventType, subject }) => listBlobs(eventType, subject)) : []
}

/** Lists the objects in a text of SNS, which contains a message of S3. Ignores messages of any other kind. */
function listObjectsInText(text: string): string[] {
  try {
    const message: unknown = JSON.parse(text)
    return S3Event.safeParse(message).success ? listObjects(message) : []
  } catch {
    // The topic may have other messages, which are not JSON.
    return []
  }
}

function listBlobs(eventType: string, subject: string): string[] {
  const [, container, path] = /^\/blobServices\/[^/]+\/containers\/([^/]+)\/blobs\/(.+)$/s.exec(subject) ?? []
  const isWritten = eventType === 'Microsoft.Storage.BlobCreated' || eventType === 'Microsoft.Storage.BlobRenamed'
  return isWritten && container !== undefined ? [`az://${container}/${path}`] : []
}

/** Decodes a key of an S3 message, which is encoded like a form. Returns nothing if the encoding is wrong. */
function decodeKey(key: string): string[] {
  try {
    return [decodeURIComponent(key.replaceAll('+', ' '))]
  } catch {
    return []
  }
}

/** Returns the location of the repository whose head an object stores; undefined for other objects. */
function findRepositoryLocation(object: string): string | undefined {
  // The keys of older repositories at the root of a bucket begin with a slash.
  return findDirectory(object)?.replace(/\/$/, '')
}

function findDirectory(object: string): string | undefined {
  if (object.endsWith(`/${repoKey}`)) return object.slice(0, -repoKey.length - 1)
  const [directory, name] = [object.slice(0, object.lastIndexOf('/') + 1), object.slice(object.lastIndexOf('/') + 1)]
  return name !== '' && directory.endsWith(`/${mainRefDirectory}`)
    ? directory.slice(0, -mainRefDirectory.length - 1)
    : undefined
}
