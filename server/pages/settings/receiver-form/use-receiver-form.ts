// The state of the form of one receiver: the typed values, their errors, and the calls to the service.
import type { TestResult, Warning } from '@floe/contract'
import { ProblemResponseError } from '@floe/client'
import { useState } from 'preact/hooks'
import type { Receiver, Kind } from './receiver.ts'
import { type Floe, useFloe } from '../floe.ts'
import {
  makeChatChange,
  makeChatToTest,
  listDifferences,
  type FormValues,
  findMissingValues,
  makeNewChat,
  makeNewValues,
  makeNewWebhook,
  rebase,
  readValues,
  makeWebhookChange,
  makeWebhookToTest,
} from './form-values.ts'
import { useAttempts } from './use-attempts.ts'

/** A receiver as it was when the form read it. */
export type Saved = { readonly receiver: Receiver; readonly etag: string | undefined }

/** The result of saving. */
export type SaveAnswer = { readonly warnings: readonly Warning[] }

/** Values that do not affect a test. */
const untested: ReadonlySet<string> = new Set(['alias', 'events'])

/** Reads a receiver with its ETag. */
export async function loadSaved({ client, repo }: Floe, { kind, id }: Receiver): Promise<Saved> {
  if (kind === 'webhook') {
    const { value, etag } = await client.webhooks.get({ repo, id })
    return { receiver: { kind, ...value }, etag }
  }
  const { value, etag } = await client.chats.get({ repo, id })
  return { receiver: { kind, ...value }, etag }
}

/** @param initial what is edited; undefined for a new receiver */
export function useReceiverForm(kind: Kind, initial: Saved | undefined) {
  const floe = useFloe()
  const [saved, setSaved] = useState(initial)
  const [fresh] = useState(() => makeNewValues(kind))
  const base = saved ? readValues(saved.receiver) : fresh
  const [values, setValues] = useState(base)
  const [overwritten, setOverwritten] = useState<readonly (keyof FormValues)[]>()
  const [tested, setTested] = useState<{ readonly values: FormValues; readonly result: TestResult }>()
  const { errors, saving, testing, ...attempts } = useAttempts()
  const missing = findMissingValues(values, saved?.receiver.kind === 'chat')

  const takeUpLatest = async (stale: Saved) => {
    const latest = await loadSaved(floe, stale.receiver)
    const latestValues = readValues(latest.receiver)
    const rebased = rebase(values, base, latestValues)
    setSaved(latest)
    setValues(rebased)
    setOverwritten(listDifferences(rebased, latestValues))
  }

  return {
    saved,
    values,
    /** Whether there are unsaved changes. */
    isTouched: listDifferences(values, base).length > 0,
    errors,
    /** The result of the last test; undefined once a value that affects it has changed. */
    result:
      tested && listDifferences(tested.values, values).every((name) => untested.has(name)) ? tested.result : undefined,
    /** After somebody else's change: the values that saving again would overwrite. */
    overwritten,
    saving,
    testing,
    set: (changed: Partial<FormValues>) => setValues((current) => ({ ...current, ...changed })),
    test: () => {
      const missingForTest = Object.fromEntries(Object.entries(missing).filter(([name]) => !untested.has(name)))
      attempts.test(missingForTest, async () => {
        setTested(undefined)
        setTested({ values, result: await check(floe, kind, values, saved && { id: saved.receiver.id, base }) })
      })
    },
    save: (onSaved: (answer: SaveAnswer) => void) =>
      attempts.save(missing, async () => {
        try {
          onSaved(await (saved ? change(floe, values, saved) : create(floe, kind, values)))
        } catch (error) {
          if (!saved || !isStale(error)) throw error
          await takeUpLatest(saved)
        }
      }),
  }
}

/** What {@link useReceiverForm} returns. */
export type ReceiverFormState = ReturnType<typeof useReceiverForm>

function isStale(error: unknown): boolean {
  return error instanceof ProblemResponseError && error.is('precondition-failed')
}

async function create({ client, repo }: Floe, kind: Kind, values: FormValues): Promise<SaveAnswer> {
  const { value } =
    kind === 'webhook'
      ? await client.webhooks.create({ repo }, makeNewWebhook(values))
      : await client.chats.create({ repo }, makeNewChat(values))
  return value
}

async function change({ client, repo }: Floe, values: FormValues, saved: Saved): Promise<SaveAnswer> {
  const { kind, id } = saved.receiver
  const base = readValues(saved.receiver)
  const { value } =
    kind === 'webhook'
      ? await client.webhooks.update({ repo, id }, makeWebhookChange(values, base), { ifMatch: saved.etag })
      : await client.chats.update({ repo, id }, makeChatChange(values, base), { ifMatch: saved.etag })
  return value
}

async function check(
  { client, repo }: Floe,
  kind: Kind,
  values: FormValues,
  saved: { id: string; base: FormValues } | undefined,
): Promise<TestResult> {
  return kind === 'webhook'
    ? client.webhooks.test({ repo }, makeWebhookToTest(values, saved))
    : client.chats.test({ repo }, makeChatToTest(values, saved))
}
