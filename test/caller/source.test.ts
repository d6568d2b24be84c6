import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sourceOf } from '../../src/caller/source.ts'

describe('the source of a login', () => {
  for (const [address, source] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    [null, 'desconhecida'],
  ] as [string | null, string][])
    it(`at ${address} is ${source}`, () => {
      assert.equal(sourceOf(address), source)
    })

  it('is one IPv4 address, and not the same for its neighbour', () => {
    assert.notEqual(sourceOf('203.0.113.7'), sourceOf('203.0.113.8'))
    for (const [one, other] of [
      ['::ffff:cb00:7107', '::ffff:cb00:7108'],
      ['0:0:0:0:0:ffff:203.0.113.7', '::ffff:203.0.113.8'],
    ] as const)
      assert.notEqual(sourceOf(one), sourceOf(other))
    for (const form of ['::ffff:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7', '0000:0000::ffff:203.0.113.7'])
      assert.equal(sourceOf(form), '203.0.113.7', form)
  })
})
