// Removes secrets from the text of an answer, because some receivers repeat the request in it.

const redacted = '[redacted]'

/**
 * Replaces each secret, as it is and in the spellings of JSON, URLs and base64.
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
  // Longer forms first, because a shorter one may be part of them.
  forms.sort((a, b) => b.length - a.length)
  const whole = forms.reduce((left, form) => left.replaceAll(form, redacted), text)
  // A text that was cut may end with the beginning of a secret.
  const begun = Math.max(0, ...forms.map((form) => measureBegun(whole, form)))
  return begun === 0 ? whole : whole.slice(0, -begun) + redacted
}

/** Shorter beginnings reveal nothing and often occur by chance. */
const minBegun = 4

/** Returns how many of the first characters of `form` the text ends with. */
function measureBegun(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= minBegun; length--) {
    if (text.endsWith(form.slice(0, length))) return length
  }
  return 0
}
