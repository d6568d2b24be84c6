window.ui = window.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // No badge from an outside address.
  validatorUrl: null,
})
