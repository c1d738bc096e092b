/** One of the callers of a tenant, such as an API key of an organisation. */
export type TenantCaller = {
  readonly tenant: string
  /** Differs from the names of all other callers of the tenant. */
  readonly caller: string
  /** Anonymous callers together count as one caller, which goes after all others. */
  readonly isAnonymous: boolean
}

/** Who wants a slot: a tenant, such as an organisation, or one of its callers. */
export type Tenant = string | TenantCaller
