import { SecretError, UnknownKeyError, type SecretBox } from '@floe/storage/secrets'
import type { Caller } from '../../http/access/caller.ts'
import { RequestProblem } from '../../problems/request-problem.ts'

/** The caller that a position is sealed for. */
type Viewer = {
  readonly org: string
  /** Null on a public deployment. */
  readonly reader: Pick<Caller, 'repos'> | null
  /** Whether the deployment serves all repositories of the organisation. */
  readonly served: { readonly isWhole: boolean }
}

/** Sealed positions are padded to this length, so that their length reveals nothing. */
const digits = 15

/**
 * Writes positions for callers and reads them back. A caller who sees only some repositories gets them sealed, which is
 * encrypted: the numbers count all events of the organisation, so they would reveal how many events the other
 * repositories have.
 */
export class Positions {
  readonly #secrets: Pick<SecretBox, 'sealBriefly' | 'open'>

  constructor(secrets: Pick<SecretBox, 'sealBriefly' | 'open'>) {
    this.#secrets = secrets
  }

  /** Writes a position as the caller gets it. */
  write(position: number, viewer: Viewer): string {
    if (seesAll(viewer)) return String(position)
    return this.#secrets.sealBriefly(String(position).padStart(digits, '0'), bind(viewer.org))
  }

  /**
   * Reads a position that a caller sent.
   *
   * @throws RequestProblem `events-gone` when the caller cannot have got the position from this service
   */
  read(text: string, viewer: Viewer): number {
    try {
      if (text.startsWith('sealed:')) return Number(this.#secrets.open(text, bind(viewer.org)))
    } catch (cause) {
      if (!(cause instanceof SecretError || cause instanceof UnknownKeyError)) throw cause
      const detail = 'The position comes from another organisation or database, or its encryption key is gone'
      throw new RequestProblem('events-gone', detail, { cause })
    }
    if (text === '0' || seesAll(viewer)) return Number(text)
    throw new RequestProblem(
      'events-gone',
      'The position is not one that this caller gets; `0` begins with the first event',
    )
  }
}

const seesAll = ({ reader, served }: Viewer) => served.isWhole && (reader === null || reader.repos === null)

const bind = (org: string) => `events/${org}`
