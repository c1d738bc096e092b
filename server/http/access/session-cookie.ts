// The cookies of people who sign in. With the prefix `__Host-`, browsers take them over TLS only (and on loopback), for
// this host alone (https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-the-__host-prefix).

export const sessionCookie = '__Host-floe-session'

/** Reads a cookie of a request. */
export function readCookie({ cookie = '' }: { readonly cookie?: string | undefined }, name: string) {
  const pair = cookie.split('; ').find((text) => text.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}

/** Writes a cookie that ends after some seconds; 0 deletes it. Pages of other sites send it with links alone. */
export function writeCookie(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`
}
