// Runs in the browser, where its text is sent to, so it may name only what is inside of it and what pages have.

type Description = { readonly servers?: readonly { readonly url: string }[] }

/**
 * A plugin for Swagger UI. It reads the OpenAPI document of the deployment, and sends requests to the host of the page, which may be open
 * at another name than the public one, such as localhost, and may ask only the host that it came from.
 */
export function readThisHost() {
  // Not relative: a browser that was given credentials in the address of the page refuses to load that.
  const address = location.origin + location.pathname.replace(/\/docs\/?$/, '/openapi.json')
  const hereFrom = ({ url }: { readonly url: string }) => ({
    url: location.origin + new URL(url).pathname.replace(/\/$/, ''),
  })
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          updateUrl: (update: (url: string) => unknown) => () => update(address),
          download: (download: (url: string) => unknown) => () => download(address),
          updateJsonSpec: (update: (description: Description) => unknown) => (description: Description) =>
            update(description.servers ? { ...description, servers: description.servers.map(hereFrom) } : description),
        },
      },
    },
  }
}
