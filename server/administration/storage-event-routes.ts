// Takes the messages of object stores, so that a change is seen before the next poll.
import { contract, EventGridEvents, SnsMessage, type StorageEvents } from '@floe/contract'
import { writeBody } from '@floe/storage/json'
import { mayRead } from '../http/access/access-hook.ts'
import { implement } from '../http/contract.ts'
import type { AdministrationContext } from './administration-context.ts'
import { listLocations } from './list-locations.ts'

/** Implements `contract.storageEvents`. The answer does not wait for the checks, because object stores wait only for seconds. */
export function makeStorageEventRoutes(context: AdministrationContext) {
  return implement(contract.storageEvents, {
    report: async ({ params, body, request }) => {
      const locations = listLocations(body)
      const entries = locations.size === 0 ? [] : ((await context.catalogs.get(params.org)?.listKnown()) ?? [])
      const concerned = entries.filter(
        ({ name, repository }) => locations.has(repository.location) && mayRead(request.apiKey, name),
      )
      for (const entry of concerned) context.notifier.watcher.noteChange(entry)
      return { status: 200, body: writeBody({ repositories: concerned.length, ...answerHandshake(context, body) }) }
    },
  })
}

/** Answers the messages with which providers begin. The address that SNS sends for this is never fetched: it could be any. */
function answerHandshake({ auditLog }: AdministrationContext, message: StorageEvents) {
  const grid = EventGridEvents.safeParse(message).data?.find(
    ({ eventType }) => eventType === 'Microsoft.EventGrid.SubscriptionValidationEvent',
  )
  if (grid?.data.validationCode !== undefined) return { validationResponse: grid.data.validationCode }
  const sns = SnsMessage.safeParse(message).data
  if (sns?.Type !== 'SubscriptionConfirmation') return {}
  const next = `Confirm the subscription: aws sns confirm-subscription --topic-arn ${sns.TopicArn} --token ${sns.Token ?? ''}`
  // SNS shows the answer to nobody, so the administrator finds it in the log.
  auditLog.info({ topic: sns.TopicArn }, next)
  return { next }
}
