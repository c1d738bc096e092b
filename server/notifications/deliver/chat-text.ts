// Writes a line for chat services that parse markup in texts: readers see its characters as they are, no markup and no
// mentions, and web addresses stay whole.

/** The services that parse Markdown, or something like it. */
export type MarkupService = 'mattermost' | 'discord' | 'rocketchat'

/** How to keep a service from parsing a line. */
type Escapes = {
  /** Characters that are written after a backslash. */
  readonly escaped: RegExp
  /** Characters that are followed by a zero-width space, because a backslash does not stop them. */
  readonly separated?: RegExp
  /** Writes an address in the service's own brackets, which say where it ends. Nothing in them is parsed. */
  readonly writeAddress: (address: string) => string
}

const escapes: { readonly [service in MarkupService]: Escapes } = {
  // Mattermost finds mentions after it has parsed the Markdown, and in addresses too. It shows a backslash before `<`
  // (https://github.com/mattermost/marked).
  mattermost: {
    escaped: /[\\`*_~[\]|#>]/,
    separated: /[@<]/,
    writeAddress: (address) => `<${address.replaceAll('@', '%40')}>`,
  },
  discord: { escaped: /[\\`*_~[\]|#<>]/, writeAddress: (address) => `<${address}>` },
  // A backslash stops only these four characters. Links, spoilers, times, channels and mentions end at a zero-width
  // space. The address before `|` must not contain parentheses, the text after it may. After what looks like the name
  // of a host, such as `a.nc_2`, the parser shows escapes up to the next space; only a space would prevent that
  // (https://github.com/RocketChat/Rocket.Chat/tree/develop/packages/message-parser).
  rocketchat: {
    escaped: /[*_~`]/,
    separated: /[\\@#<|\]]/,
    writeAddress: (address) => `<${address.replaceAll('(', '%28').replaceAll(')', '%29')}|${address}>`,
  },
}

/**
 * A web address in a text. It ends before punctuation that is not followed by another character of it, as in
 * https://github.github.com/gfm/#extended-autolink-path-validation, and contains no brackets except pairs of
 * parentheses.
 */
const address = String.raw`https?://(?:[?!.,:;'*_~]*(?:[\p{L}\p{N}/#@$&+=%-]|\([\p{L}\p{N}/#@$&+=%?!.,:;'*_~-]*\)))+`

/** An address, or one in angle brackets, which Markdown does not show. */
const addresses = new RegExp(`(<${address}>|${address})`, 'u')

/** Writes a line in pieces, none of which may be cut: a character or an address. */
export function writeMarkupPieces(service: MarkupService, line: string): string[] {
  const { escaped, separated, writeAddress } = escapes[service]
  const writeCharacter = (character: string) => {
    if (escaped.test(character)) return `\\${character}`
    return separated?.test(character) ? `${character}\u200b` : character
  }
  // `split` puts what the group in the pattern matches at the odd places.
  return line.split(addresses).flatMap((part, index) => {
    if (index % 2 === 0) return Array.from(part, writeCharacter)
    return [writeAddress(part.startsWith('<') ? part.slice(1, -1) : part)]
  })
}

/** Writes an address of this service as a link. */
export function writeMarkupAddress(service: MarkupService, address: string): string {
  return escapes[service].writeAddress(address)
}

/** Escapes the characters that begin a tag or an entity in HTML and in Slack's markup. */
export function escapeTags(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Joins as many whole pieces as fit. */
export function joinWithin(limit: number, pieces: Iterable<string>, measure: (piece: string) => number): string {
  let text = ''
  let size = 0
  for (const piece of pieces) {
    size += measure(piece)
    if (size > limit) break
    text += piece
  }
  return text
}
