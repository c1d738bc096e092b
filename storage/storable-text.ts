/** Replaces what PostgreSQL cannot store in a text: NUL and lone surrogates. */
export function makeStorable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
