// Receivers to test: saved ones, perhaps with changes that are not saved, and those that are not saved yet.
import type { Warning } from '@floe/contract'
import {
  DeclaredInFileError,
  dropSecrets,
  newSigningSecret,
  openReceiver,
  type OpenReceiver,
  type Receiver,
} from '@floe/storage/database'
import type { AdministrationContext } from '../administration-context.ts'
import { checkChange, checkTarget, type SavedToTest, type UnsavedReceiver } from './receiver-rules.ts'

/** A receiver to test, with what is to be checked about it. */
type TestedReceiver = { readonly receiver: OpenReceiver; readonly warnings: readonly Warning[] }

/**
 * Decrypts a saved receiver and applies the changes of a test. A declared receiver can only be tested without changes,
 * so that its secrets are not sent to another URL.
 */
export async function openChanged(
  context: AdministrationContext,
  receiver: Receiver,
  body: SavedToTest,
): Promise<TestedReceiver> {
  const { kind, id: _, ...changes } = body
  if (receiver.isDeclared && Object.values(changes).some((value) => value !== undefined)) {
    throw new DeclaredInFileError(`The configuration file declares this ${kind}; test it without changes`)
  }
  const saved = openReceiver(receiver, context.secrets, new Date(context.now()))
  const { value: change, warnings } = await checkChange(body, context)
  const { url = saved.url, service = saved.service, secretToken = saved.secretToken, headers = saved.headers } = change
  return { receiver: { ...saved, url, service, secretToken, headers, ...dropSecrets(saved, change) }, warnings }
}

/** Makes a receiver that is not saved. Without a signing secret in the body, the test is signed with a random one. */
export async function openUnsaved(context: AdministrationContext, body: UnsavedReceiver): Promise<TestedReceiver> {
  const { kind } = body
  const { value: target, warnings } = await checkTarget(body, context)
  const { url, service, secretToken, headers, signingSecret = newSigningSecret() } = target
  const signingSecrets = kind === 'chat' ? [] : [signingSecret]
  return { receiver: { kind, url, service, secretToken, headers, signingSecrets }, warnings }
}
