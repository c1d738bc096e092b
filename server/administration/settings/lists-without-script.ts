// What a browser without scripts shows of the settings: the receivers, and the newest deliveries.
import type { DeliveryRecord, Receiver } from '@floe/storage/database'
import { html, type Html } from '../../pages/html.ts'

/** What is listed. */
export type SettingsLists = {
  readonly receivers: readonly Receiver[]
  /** Newest first. */
  readonly deliveries: readonly DeliveryRecord[]
}

/** Renders the lists. Of a receiver's address they have the host alone, because paths are often secret. */
export function listsWithoutScript({ receivers, deliveries }: SettingsLists): Html {
  const aliases = new Map(receivers.map(({ id, alias }) => [id, alias]))
  const receiverItems = receivers.map(
    (receiver) =>
      html`<li>${receiver.kind} <b>${receiver.alias}</b> at ${receiver.origin}: ${describeState(receiver)}</li>`,
  )
  const deliveryItems = deliveries.map(
    ({ createdAt, line, receiverId, state, lastAttempt }) =>
      html`<li>
        ${createdAt.toISOString()} to <b>${aliases.get(receiverId)}</b>: ${line}
        (${state}${describeAnswer(lastAttempt)})
      </li>`,
  )
  return html`${list('Receivers', receiverItems, 'No receivers.')}
  ${list('Newest deliveries', deliveryItems, 'No deliveries yet.')}`
}

function list(title: string, items: readonly Html[], whenEmpty: string): Html {
  return html`<section class="part">
    <h2>${title}</h2>
    ${
      items.length === 0
        ? html`<p>${whenEmpty}</p>`
        : html`<ul>
            ${items}
          </ul>`
    }
  </section>`
}

function describeState({ isEnabled, disabledReason, failingSince, lastSuccessAt }: Receiver): string {
  if (!isEnabled) return `disabled: ${disabledReason}`
  if (failingSince !== null) return `failing since ${failingSince.toISOString()}`
  return lastSuccessAt === null ? 'nothing sent yet' : `last delivered at ${lastSuccessAt.toISOString()}`
}

function describeAnswer(attempt: DeliveryRecord['lastAttempt']): string {
  return attempt === null ? '' : `, last answer ${attempt.status ?? attempt.error}`
}
