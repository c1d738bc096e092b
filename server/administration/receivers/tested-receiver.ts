// Receivers to test: saved ones, perhaps with changes that are not saved, and those that are not saved yet.
import type { Warning } from '@floe/contract'
import { defaultFilter } from '@floe/contract/lists'
import {
  dropSecrets,
  newSigningSecret,
  openReceiver,
  type OpenReceiver,
  type Receiver,
  type ReceiverOwner,
  RecordProblem,
} from '@floe/storage/database'
import type { AdministrationContext } from '../administration-context.ts'
import { readFilter } from './receiver-members.ts'
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
    const message = `The configuration file declares this ${kind}; test it without changes`
    throw new RecordProblem('declared-in-file', message)
  }
  const saved = openReceiver(receiver, context.secrets, new Date(context.now()))
  const { value: change, warnings } = await checkChange(body, context)
  const { url = saved.url, service = saved.service } = change
  const { secretToken = saved.secretToken, headers = saved.headers } = change
  const filter = { ...saved.filter, ...readFilter(body, receiver) }
  const changed = { ...saved, url, service, filter, secretToken, headers, ...dropSecrets(saved, change) }
  return { receiver: changed, warnings }
}

/** Makes a receiver that is not saved. Without a signing secret in the body, the test is signed with a random one. */
export async function openUnsaved(
  context: AdministrationContext,
  body: UnsavedReceiver,
  owner: Pick<ReceiverOwner, 'repoId'>,
): Promise<TestedReceiver> {
  const { kind } = body
  const filter = { ...defaultFilter, ...readFilter(body, owner) }
  const { value: target, warnings } = await checkTarget(body, context)
  const { signingSecret = newSigningSecret(), ...way } = target
  const signingSecrets = kind === 'chat' ? [] : [signingSecret]
  return { receiver: { kind, filter, ...way, signingSecrets }, warnings }
}
