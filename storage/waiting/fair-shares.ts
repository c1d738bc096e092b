import type { Tenant, TenantCaller } from './tenant.ts'

/** Free slots. */
export type Room = {
  readonly total: number
  /** Slots for a tenant that has none. */
  readonly ofOthers: number
  /** Further slots for each tenant that has some. Zero or negative if the tenant has its share. */
  readonly byTenant: ReadonlyMap<string, number>
}

/**
 * Divides a number of slots among tenants, such as organisations. A tenant gets at most half of the slots that the
 * others leave free, so there is always a slot for a tenant that has few. The callers of a tenant divide what it gets
 * in the same way, and so do its anonymous callers with what they get together.
 */
export class FairShares {
  readonly #readSlots: () => number
  readonly #taken = new Map<string, number>()
  /** The shares of the callers of tenants that have taken slots. */
  readonly #ofCallers = new Map<string, FairShares>()
  #sum = 0

  /** @param readSlots the number of slots, which can change */
  constructor(readSlots: () => number) {
    this.#readSlots = readSlots
  }

  /** Number of taken slots. */
  get taken(): number {
    return this.#sum
  }

  /** Measures the free slots and who can take them. */
  measureRoom(): Room {
    return {
      total: this.#readSlots() - this.#sum,
      ofOthers: this.#measureRoom(0),
      byTenant: new Map([...this.#taken].map(([tenant, taken]) => [tenant, this.#measureRoom(taken)])),
    }
  }

  /** Whether a tenant or caller can take a slot, because it has less than its share. */
  hasRoom(tenant: Tenant): boolean {
    const name = nameTenant(tenant)
    if (this.#measureRoom(this.#count(name)) <= 0) return false
    // An only caller has room wherever its tenant has.
    return typeof tenant === 'string' || (this.#ofCallers.get(name)?.hasRoom(toPart(tenant)) ?? true)
  }

  /** Takes a slot for a tenant or caller. */
  take(tenant: Tenant): void {
    const name = nameTenant(tenant)
    this.#taken.set(name, this.#count(name) + 1)
    this.#sum += 1
    if (typeof tenant === 'string') return
    const shares = this.#ofCallers.get(name) ?? new FairShares(() => this.#measureShare(this.#count(name)))
    this.#ofCallers.set(name, shares)
    shares.take(toPart(tenant))
  }

  /** Gives back a slot of a tenant or caller. */
  release(tenant: Tenant): void {
    const name = nameTenant(tenant)
    const left = this.#count(name) - 1
    this.#sum -= 1
    if (left > 0) {
      this.#taken.set(name, left)
      if (typeof tenant !== 'string') this.#ofCallers.get(name)?.release(toPart(tenant))
    } else {
      this.#taken.delete(name)
      this.#ofCallers.delete(name)
    }
  }

  #count(tenant: string): number {
    return this.#taken.get(tenant) ?? 0
  }

  /** Number of further slots for a tenant that has taken `taken`. */
  #measureRoom(taken: number): number {
    return this.#measureShare(taken) - taken
  }

  /** Number of slots that a tenant can have that has taken `taken`. */
  #measureShare(taken: number): number {
    return Math.ceil((this.#readSlots() - (this.#sum - taken)) / 2)
  }
}

function nameTenant(tenant: Tenant): string {
  return typeof tenant === 'string' ? tenant : tenant.tenant
}

/** The part of a tenant that divides the share of it with its other callers: a caller, or all anonymous callers. */
function toPart({ caller, isAnonymous }: TenantCaller): Tenant {
  return isAnonymous ? { tenant: 'anonymous', caller, isAnonymous: false } : caller
}
