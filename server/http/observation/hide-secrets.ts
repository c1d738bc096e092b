/** API keys, whose first part is public, and signing secrets. */
const secrets = /(floe_[0-9a-f]{16}_)[\w-]{43}|(whsec_)[\w+/=-]+/g

/**
 * Blanks the secrets that can be recognised by their form. Nothing writes them on purpose; this is for those that a caller puts where they do
 * not belong, such as an address.
 */
export function hideSecrets(text: string): string {
  if (!text.includes('floe_') && !text.includes('whsec_')) return text
  return text.replaceAll(secrets, (_secret, key = '', signing = '') => `${key}${signing}[hidden]`)
}

/** Leaves the query of an address out. Queries can hold what callers should not have sent. */
export function dropQuery(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
