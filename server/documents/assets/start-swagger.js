// Starts Swagger UI on the address that the page carries.
const place = document.getElementById('swagger-ui')
SwaggerUIBundle({
  domNode: place,
  url: new URL(place.dataset.openapi, location.href).href,
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
  // The standalone layout would ask for the address of a document.
  layout: 'BaseLayout',
})
