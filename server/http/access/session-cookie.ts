// The cookies of people who sign in. With the prefix `__Host-`, browsers take them over TLS only (and on loopback), for
// this host alone (https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-the-__host-prefix).

/** `signIn` holds what a browser needs to come back from the issuer. */
export const cookieNames = { session: '__Host-floe-session', signIn: '__Host-floe-sign-in' } as const

type CookieName = (typeof cookieNames)[keyof typeof cookieNames]

/** Reads a cookie of a request. */
export function readCookie({ cookie = '' }: { readonly cookie?: string | undefined }, name: CookieName) {
  const pair = cookie.split('; ').find((text) => text.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}

/** Writes a cookie that ends after some seconds; 0 deletes it. Pages of other sites send it with links alone. */
export function writeCookie(name: CookieName, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`
}
