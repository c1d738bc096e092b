import type { Chat, ChatChange, ChatCreation, Warning } from '@floe/contract'
import { isMaskedUrl, maskUrl, type Receiver } from '@floe/storage/database'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'
import { detectChatService, resolveChatService } from '../../notifications/deliver/chat-services.ts'
import { type CheckedUrl, checkReceiverUrl } from '../../notifications/receivers/receiver-url.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { showMembers } from './receiver-members.ts'
import type { Checked, Target, TargetChange } from './receiver-target.ts'

type Notifier = AdministrationContext['notifier']

export function showChat(receiver: Receiver, held: number): Chat {
  const { id, service } = receiver
  if (service === null) throw new TypeError(`the chat ${id} has no service`)
  return { ...showMembers(receiver, 'chat', held), url: maskUrl(receiver), service }
}

export async function checkChatTarget(
  { url: text, service: chosen }: Pick<ChatCreation, 'url' | 'service'>,
  notifier: Notifier,
): Promise<Checked<Target>> {
  const { url, warnings } = await checkChatUrl(text, notifier)
  const service = resolveChatService(chosen, url)
  const guesses = chosen === undefined ? warnOfGuess(url, 'so it gets what Slack gets') : []
  return { value: { url: url.href, service, secretToken: null, headers: {} }, warnings: [...warnings, ...guesses] }
}

export async function checkChatChange(
  { url: text, service: chosen }: Pick<ChatChange, 'url' | 'service'>,
  notifier: Notifier,
): Promise<Checked<TargetChange>> {
  if (text === undefined) return { value: { service: chosen }, warnings: [] }
  const { url, warnings } = await checkChatUrl(text, notifier)
  // Undefined, which leaves the service unchanged, if the new host is unknown.
  const service = chosen ?? detectChatService(url)
  const guesses = chosen === undefined ? warnOfGuess(url, 'so the service stays as it was') : []
  return { value: { url: url.href, service }, warnings: [...warnings, ...guesses] }
}

/** Warns if no known service is at the host of a URL whose service nobody named. */
function warnOfGuess(url: URL, guess: string): Warning[] {
  if (detectChatService(url) !== undefined) return []
  const detail = `Floe does not know the chat service at ${url.hostname}, ${guess}; choose the service that is there`
  return [{ code: 'chat-service-guessed', detail }]
}

async function checkChatUrl(text: string, notifier: Notifier): Promise<CheckedUrl> {
  const checked = await checkReceiverUrl(text, notifier)
  if (!isMaskedUrl(checked.url)) return checked
  const message = 'is the masked form that answers show; leave it out to keep the URL as it is'
  throw explainInvalidRequest([{ pointer: '/body/url', message }])
}
