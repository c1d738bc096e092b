// Starts Redoc on the address that the page carries.
const place = document.getElementById('documentation')
Redoc.init(place.dataset.openapi, { disableSearch: false, hideDownloadButtons: false }, place)
