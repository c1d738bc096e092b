import { openReceiver, type OpenReceiver, type Receiver } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { LRUCache } from 'lru-cache'

/** Opened receivers that are kept. Each takes a few kilobytes. */
const maxOpened = 1_000

type Opened = {
  readonly sealed: string
  /** When one of its signing secrets stops signing, in milliseconds since 1970. */
  readonly until: number
  readonly receiver: OpenReceiver
}

/** Opens the secrets of receivers, and keeps them open while they stay the same, because each is needed for many attempts. */
export class OpenReceivers {
  readonly #secrets: SecretBox
  /** By id. */
  readonly #opened = new LRUCache<string, Opened>({ max: maxOpened })

  constructor(secrets: SecretBox) {
    this.#secrets = secrets
  }

  /**
   * Opens a receiver, or returns what was opened before.
   *
   * @param now milliseconds since 1970
   * @throws UnknownKeyError, SecretError
   */
  open(receiver: Receiver, now: number): OpenReceiver {
    const sealed = listSealed(receiver)
    const known = this.#opened.get(receiver.id)
    if (known?.sealed === sealed && now < known.until) return known.receiver
    const opened = openReceiver(receiver, this.#secrets, new Date(now))
    const ends = receiver.signingSecrets.map(({ until }) => until?.getTime() ?? Number.POSITIVE_INFINITY)
    const until = Math.min(Number.POSITIVE_INFINITY, ...ends.filter((end) => end > now))
    this.#opened.set(receiver.id, { sealed, until, receiver: opened })
    return opened
  }
}

/** Everything that an opened receiver depends on, as one text. */
function listSealed({ kind, service, url, secretToken, signingSecrets }: Receiver): string {
  const signing = signingSecrets.map(({ sealed, until }) => `${sealed} ${until?.getTime()}`)
  return [kind, service, url, secretToken, ...signing].join('\n')
}
