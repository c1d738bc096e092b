// Runs in the browser, which gets the text of this function. The function may therefore use only its own variables and
// globals of the browser.

type Description = { readonly servers?: readonly { readonly url: string }[] }

/**
 * A plugin for Swagger UI. It reads the OpenAPI document of the deployment, and sends requests to the host of the page.
 * The page may be open under another name than the public one, such as localhost, and may send requests only to its own
 * host.
 */
export function readThisHost() {
  // Absolute: if the address of the page contains credentials, browsers refuse to load a relative one.
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
