// Secrets out of text that came from a receiver: some echo the request in their answers.

const redacted = '[redacted]'

/**
 * Replaces each secret as it is, and as JSON, a URL or base64 would hold it.
 *
 * @param secrets none of them empty
 */
export function redact(text: string, secrets: readonly string[]): string {
  if (text === '') return text
  const forms = secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ])
  // Longer forms first: a shorter one may be part of them.
  forms.sort((a, b) => b.length - a.length)
  const whole = forms.reduce((left, form) => left.replaceAll(form, redacted), text)
  // A text that was cut short may end in the beginning of a secret.
  const begun = Math.max(0, ...forms.map((form) => lengthOfBegun(whole, form)))
  return begun === 0 ? whole : whole.slice(0, -begun) + redacted
}

/** Fewer characters than this say nothing of a secret, and are often there by chance. */
const minBegun = 4

/** How many characters of `form` the text ends with. */
function lengthOfBegun(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= minBegun; length--) {
    if (text.endsWith(form.slice(0, length))) return length
  }
  return 0
}
