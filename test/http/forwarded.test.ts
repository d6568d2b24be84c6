import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksForItself, forwardedSecurity, trustedProxies } from '../../src/http/listener/forwarded.ts'

const proxies = ['loopback', '10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48', '::ffff:198.51.100.0/120']

test('only a trusted proxy that says https, as its last word, makes a request secure', () => {
  const isTrusted = trustedProxies(proxies)
  const cases: [string | undefined, string | string[] | undefined, boolean][] = [
    ['127.0.0.1', 'https', true],
    ['127.200.3.4', 'https', true],
    ['::1', 'https', true],
    ['10.255.0.1', 'https', true],
    ['::ffff:10.1.2.3', 'https', true],
    ['::FFFF:10.1.2.3', 'https', true],
    ['::ffff:a01:203', 'https', true],
    ['192.0.2.7', 'https', true],
    ['2001:db8:1:2::3', 'https', true],
    ['198.51.100.9', 'https', true],
    ['::ffff:198.51.100.9', 'https', true],
    ['10.0.0.1', 'http, https', true],
    ['10.0.0.1', ['http', 'https'], true],
    ['10.0.0.1', ' https ', true],

    ['11.0.0.1', 'https', false],
    ['192.0.2.8', 'https', false],
    ['::ffff:192.0.2.8', 'https', false],
    ['198.51.101.9', 'https', false],
    ['2001:db8:2::1', 'https', false],
    ['::2', 'https', false],
    [undefined, 'https', false],
    ['', 'https', false],
    ['unknown', 'https', false],
    ['10.0.0.1%eth0', 'https', false],
    ['::ffff:::1', 'https', false],
    ['10.0.0.1', undefined, false],
    ['10.0.0.1', '', false],
    ['10.0.0.1', 'http', false],
    ['10.0.0.1', 'HTTPS', false],
    ['10.0.0.1', 'httpss', false],
    ['10.0.0.1', 'https, http', false],
    ['10.0.0.1', 'https,', false],
    ['10.0.0.1', ['https', 'http'], false],
    ['10.0.0.1', 'on', false],
  ]
  for (const [peer, proto, secure] of cases) {
    const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto }
    assert.deepEqual(forwardedSecurity(peer, isTrusted, headers), { secure }, `${peer} says ${proto}`)
  }
})

test('a request is the proxy’s own, or this machine’s, when it comes from there and forwards nothing', () => {
  const isTrusted = trustedProxies(proxies)
  assert.equal(asksForItself('10.0.0.1', isTrusted, { 'user-agent': 'ELB-HealthChecker/2.0' }), true)
  assert.equal(asksForItself('11.0.0.1', isTrusted, {}), false)
  assert.equal(asksForItself(undefined, isTrusted, {}), false)
  for (const machine of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    assert.equal(asksForItself(machine, isTrusted, {}), true, machine)
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])
    for (const peer of ['10.0.0.1', '127.0.0.1'])
      assert.equal(asksForItself(peer, isTrusted, { [name]: '' }), false, `${name} from ${peer}`)
})

test('a link-local proxy is recognised on every interface', () => {
  const isTrusted = trustedProxies(['linklocal', 'fc00::1%eth0'])
  assert.equal(isTrusted('fe80::1%eth0'), true)
  assert.equal(isTrusted('169.254.1.1'), true)
  assert.equal(isTrusted('fc00::1'), true)
})

test('a list that is empty or holds anything else is refused by naming the entry', () => {
  assert.throws(() => trustedProxies([]), /list is empty/)
  for (const entry of ['', 'proxy.local', '10.0.0', '010.0.0.1', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/0']) {
    assert.throws(() => trustedProxies(['loopback', entry]), new RegExp(`trusted proxies: "${entry}"`), entry)
  }
  for (const entry of [
    '::/0',
    '2001:db8::/129',
    '10.0.0.0/-1',
    '10.0.0.0/8x',
    '::ffff:10.0.0.0/96',
    '*',
    'true',
  ]) {
    assert.throws(() => trustedProxies([entry]), /trusted proxies: "/, entry)
  }
})
