import { SentNotification } from '@floe/contract'
import type { EventName } from '@floe/contract/lists'
import type { EventTexts } from '@floe/storage/database'
import { cutLine } from '../text/cut-line.ts'
import { eventLines } from './event-lines.ts'

/**
 * Writes the texts of an event: the payload for webhooks and the line of text for chats. The strict schema refuses
 * members that are not in the contract, and puts them in the order of the contract.
 *
 * @param words what the line says besides the details; see {@link eventLines}
 */
export function describeEvent(event: EventName, details: object, words = ''): EventTexts {
  const notification = SentNotification.parse({ event, details })
  // TypeScript does not see that the details are those of this event.
  const writeLine = eventLines[notification.event] as (details: object, words: string) => string
  return { payload: JSON.stringify(notification), line: cutLine(writeLine(notification.details, words)) }
}
