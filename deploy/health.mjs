// Health check of a container: exit code 0 while the service answers, whatever its certificate and behind a proxy or not.
import http from 'node:http'
import https from 'node:https'

const { PORT = '8443', TRUST_PROXY = '' } = process.env
const options = { host: '127.0.0.1', port: PORT, path: '/api/v1/health', timeout: 2500 }
// To itself, over loopback: nothing is told or believed that a certificate would have to protect.
const request = TRUST_PROXY ? http.get(options) : https.get({ ...options, rejectUnauthorized: false })
request
  .on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
