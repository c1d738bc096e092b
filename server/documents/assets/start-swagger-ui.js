// Starts Swagger UI on the address that the page carries.
const { openapi } = document.getElementById('documentation').dataset
SwaggerUIBundle({ url: openapi, dom_id: '#documentation', deepLinking: true, validatorUrl: null })
