import { type Cancellation, DocumentAllowance } from '@floe/storage/json'
import { ArrayParser } from '@floe/storage/zarr'

/**
 * Number of nodes or groups whose documents share an allowance and a parser. What their documents have in common is
 * then parsed once.
 */
const maxShared = 100

/** What the documents of one node or group are parsed with. */
type Parsing = { readonly allowance: DocumentAllowance; readonly arrays: ArrayParser }

/**
 * Lets the nodes or groups of one snapshot share an allowance and a parser, if each is no longer needed when the next
 * is parsed.
 */
export class ParsingBatches {
  readonly #cancellation: Cancellation | undefined
  #parsing: Parsing
  #uses = 0

  constructor(cancellation: Cancellation | undefined) {
    this.#cancellation = cancellation
    this.#parsing = open(cancellation)
  }

  /** Whether the last node or group shares its allowance with others before it, which may have used it up. */
  get isShared(): boolean {
    return this.#uses > 1
  }

  /** Returns what the next node or group is parsed with. */
  next(): Parsing {
    if (this.#uses === maxShared) this.renew()
    this.#uses++
    return this.#parsing
  }

  /** Ends the sharing with those before. */
  renew(): void {
    this.#parsing = open(this.#cancellation)
    this.#uses = 0
  }
}

function open(cancellation: Cancellation | undefined): Parsing {
  const allowance = new DocumentAllowance({}, cancellation)
  return { allowance, arrays: new ArrayParser(allowance) }
}
