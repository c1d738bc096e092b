/** Matches API keys, whose first part is public, and signing secrets. */
const secrets = /(floe_[0-9a-f]{16}_)[\w-]{43}|(whsec_)[\w+/=-]+/g

/** Hides API keys and signing secrets in a text. Callers may have put them anywhere, such as into an address. */
export function hideSecrets(text: string): string {
  if (!text.includes('floe_') && !text.includes('whsec_')) return text
  return text.replaceAll(secrets, (_secret, key = '', signing = '') => `${key}${signing}[hidden]`)
}

/** Removes the query from an address, because it may contain secrets. */
export function dropQuery(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
