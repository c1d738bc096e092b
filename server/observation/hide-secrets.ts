/**
 * Matches API keys, whose first part is public, what was given in exchange for them, signing secrets, and tokens (JWT),
 * which begin with `eyJ`.
 */
const secrets =
  /(floe_(?:[0-9a-f]{16}|code|access|refresh)_)[\w-]{43,76}|(whsec_)[\w+/=-]+|(?<![\w-])(eyJ)[\w-]+\.[\w-]+\.[\w-]*/g

/** Hides API keys, signing secrets and tokens in a text. Callers may put them anywhere, such as into an address. */
export function hideSecrets(text: string): string {
  if (!['floe_', 'whsec_', 'eyJ'].some((start) => text.includes(start))) return text
  return text.replaceAll(secrets, (_secret, key = '', signing = '', token = '') => `${key}${signing}${token}[hidden]`)
}

/** Removes the query from an address, because it may contain secrets. */
export function dropQuery(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
