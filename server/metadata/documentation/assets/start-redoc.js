// Starts Redoc on the address that the page carries.
import { init } from '../redoc/redoc.standalone.js'

const place = document.getElementById('documentation')
// Not relative: a browser that was given credentials in the address of the page refuses to load that.
init(new URL(place.dataset.openapi, location.href).href, { disableTelemetry: true }, place)
