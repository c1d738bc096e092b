import { SentNotification } from '@floe/contract'
import type { EventName } from '@floe/contract/lists'
import type { EventTexts, RecordedRepository } from '@floe/storage/database'
import { cutLine } from '../text/cut-line.ts'
import { eventTexts, type LineWords } from './event-lines.ts'

/**
 * Writes the texts of an event: the payload for webhooks and the line of text for chats. The strict schema refuses
 * members that are not in the contract, and puts them in the order of the contract.
 *
 * @param details those that do not name the repository
 * @param words what the line says besides the details; see {@link eventTexts}
 */
export function describeEvent(
  event: EventName,
  { org, name, id }: RecordedRepository,
  details: object,
  words: LineWords = {},
): EventTexts {
  const repository = { org_name: org, repo_name: name, repo_id: id }
  const notification = SentNotification.parse({ event, details: { ...repository, ...details } })
  // TypeScript does not see that the details are those of this event.
  const writeLine = eventTexts[notification.event].line as (details: object, words: LineWords) => string
  return { payload: JSON.stringify(notification), line: cutLine(writeLine(notification.details, words)) }
}
