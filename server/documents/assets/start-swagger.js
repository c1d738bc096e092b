// Starts Swagger UI on the address that the page carries.
const place = document.getElementById('swagger-ui')

/** The address of a server, at the host of this page. */
const hereFrom = ({ url }) => ({ url: location.origin + new URL(url).pathname.replace(/\/$/, '') })

/** The page may be open at another name than the public one, such as localhost, and may ask only the host that it came from. */
const askThisHost = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (description) =>
          update(description.servers ? { ...description, servers: description.servers.map(hereFrom) } : description),
      },
    },
  },
})

SwaggerUIBundle({
  domNode: place,
  url: new URL(place.dataset.openapi, location.href).href,
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl, askThisHost],
  // The standalone layout would ask for the address of a document.
  layout: 'BaseLayout',
})
