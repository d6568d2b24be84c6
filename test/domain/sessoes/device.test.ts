import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deviceOf } from '../../../src/domain/sessoes/device.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const MOBILE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'

describe('the device of a session', () => {
  for (const [device, agent] of [
    ['Chrome / Windows', `${WINDOWS} ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`],
    ['Edge / Windows', `${WINDOWS} ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`],
    ['Opera / Windows', `${WINDOWS} ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 OPR/115.0.0.0`],
    ['Firefox / Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'],
    [
      'Safari / macOS',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${MOBILE} Version/18.0 Safari/605.1.15`,
    ],
    ['Safari / iOS', `${IPHONE} ${MOBILE} Version/18.0 Mobile/15E148 Safari/604.1`],
    ['Chrome / iOS', `${IPHONE} ${MOBILE} CriOS/131.0.0.0 Mobile/15E148 Safari/604.1`],
    ['Firefox / iOS', `${IPHONE} ${MOBILE} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`],
    [
      'Chrome / Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`,
    ],
    [
      'Chrome / ChromeOS',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`,
    ],
    ['curl', 'curl/8.5.0'],
    ['Postman', 'PostmanRuntime/7.43.0'],
    ['Python', 'python-requests/2.32.3'],
    ['Node.js', 'node'],
    ['Node.js', 'undici'],
    ['Desconhecido', '<script>alert(1)</script>'],
    ['Desconhecido', ''],
    ['Desconhecido', null],
  ] as [string, string | null][])
    it(`is “${device}” for ${agent}`, () => {
      assert.equal(deviceOf(agent), device)
    })
})
