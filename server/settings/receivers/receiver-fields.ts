// The fields in the form of a webhook or chat. They depend on what is administered, saved and typed.
import type { Receiver } from '@floe/client'
import { defaultFilter, noticeNames, type ReceiverKind } from '@floe/contract/lists'
import { type FieldValues, writeValues } from '../fields/field-values.ts'
import type { FormField } from '../fields/form-field.ts'
import { listLines } from '../fields/list-lines.ts'
import { receiverFields } from '../generated/forms.ts'
import { isUsed } from './describe-filter.ts'
import type { SettingsScope } from '../settings-scope.ts'

type ReceiverForm = {
  readonly kind: ReceiverKind
  readonly scope: SettingsScope['kind']
  /** The receiver that is edited; undefined for a new one. */
  readonly saved: Receiver | undefined
}

/** Lists the fields that are shown while these values are typed. */
export function listFields(form: ReceiverForm, values: FieldValues): readonly FormField[] {
  const isOfOrganisation = form.scope === 'organisation'
  const events = listLines(values['events'] ?? '')
  const isShown: Readonly<Record<string, boolean>> = {
    repos: isOfOrganisation,
    search: isOfOrganisation,
    signing_secret: form.saved === undefined,
  }
  return adaptFields(form, values['url'] ?? '').filter(({ name }) => isShown[name] ?? isUsed(name, events))
}

/** Lists the fields of the kind, as they are for this receiver while this URL is typed. */
function adaptFields(form: ReceiverForm, url: string): readonly FormField[] {
  const ofKind = receiverFields.filter(({ kind }) => kind === undefined || kind === form.kind)
  return ofKind.map((field) => ({ ...field, ...adaptField(field, form, url) }))
}

/** Says what is different about a field for this receiver. */
function adaptField(
  { name, options }: FormField,
  { kind, scope, saved }: ReceiverForm,
  url: string,
): Partial<FormField> {
  if (name === 'events' && scope === 'repository')
    return { options: options?.filter(({ value }) => !noticeNames.some((notice) => notice === value)) }
  if (kind === 'chat' && name === 'url') return saved ? savedChatUrl(saved) : newChatUrl
  if (saved?.kind === 'chat' && name === 'service') return { none: undefined }
  if (saved?.kind !== 'webhook') return {}
  const isDropped = dropsStoredSecrets(url, saved.url)
  if (name === 'secret_token' && saved.has_secret_token) return { stored: { legend: 'Stored Secret Token', isDropped } }
  if (name === 'headers' && saved.header_names.length > 0)
    return { stored: { legend: `Stored headers: ${saved.header_names.join(', ')}`, isDropped } }
  return {}
}

const newChatUrl = {
  hint: 'The URL of an incoming webhook, which you create in the settings of the chat service. It is kept secret.',
}

function savedChatUrl({ url }: Receiver): Partial<FormField> {
  const hint = `The saved URL is secret and cannot be shown. Leave this empty to keep ${url}`
  return { label: 'New Webhook URL', hint, isRequired: false }
}

/** Makes the values of a saved receiver, or those that the form of a new one begins with. */
export function readReceiver(form: ReceiverForm): FieldValues {
  const { saved } = form
  const fields = adaptFields(form, '')
  if (saved === undefined)
    return writeValues(fields, { ...defaultFilter, repos: ['**'], signing_secret: makeSigningSecret() })
  // The URL of a chat is not shown.
  return writeValues(fields, saved.kind === 'chat' ? { ...saved, url: '' } : saved)
}

/** Bytes of a signing secret. Standard Webhooks requires 24 to 64. */
const secretBytes = 32

/** `whsec_` and the base64 of random bytes, the format of Standard Webhooks. */
export function makeSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/**
 * Whether saving the URL removes the stored Secret Token and headers: when its scheme, host, port or path is new. The
 * service has the same rule.
 */
export function dropsStoredSecrets(url: string, savedUrl: string): boolean {
  const [next, saved] = [URL.parse(url), URL.parse(savedUrl)]
  return next !== null && (next.origin !== saved?.origin || next.pathname !== saved.pathname)
}
