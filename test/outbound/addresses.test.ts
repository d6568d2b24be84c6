import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formsOf, isPublicAddress } from '../../src/outbound/addresses.ts'
import { ALL_TARGETS, PUBLIC_TARGETS, targetsWithin } from '../../src/outbound/policy.ts'
import { networkList } from '../../src/system/networks.ts'

/** First and last of each range, and its neighbours where those are public. From IANA's registries. */
const NOT_PUBLIC: [first: string, last: string, before: string | null, after: string | null][] = [
  ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['240.0.0.0', '255.255.255.255', null, null],
  // IPv6: everything below and above 2000::/3, whatever is embedded.
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
  ['::1', '::1', null, null],
  ['::7f00:1', '::127.0.0.1', null, null],
  ['::8.8.8.8', '::255.255.255.255', null, null],
  ['::ffff:0.0.0.0', '::ffff:255.255.255.255', null, null],
  ['::ffff:8.8.8.8', '::FFFF:0808:0808', null, null],
  ['64:ff9b::', '64:ff9b::ffff:ffff', null, null],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', null, null],
  ['100::', '100::ffff:ffff:ffff:ffff', null, null],
  [
    '2001::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:200::',
  ],
  ['2001:0:7f00:1::', '2001:0:ffff:ffff:ffff:ffff:80ff:fffe', null, null],
  [
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:7fff::', '2620:4f:8001::'],
  [
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
  ],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['ff00::', 'ff02::1', null, null],
]

const PUBLIC = ['8.8.8.8', '200.160.2.3', '2001:4860:4860::8888', '2804:14d::1', '2606:4700:4700::1111']

const NO_ADDRESSES = ['', ' ', 'example.com', '8.8.8', '8.8.8.8 ', '08.8.8.8', '0x8.8.8.8', '134744072']
const NOT_PLAIN = [
  '[2606:4700::1]',
  '2606:4700::1%eth0',
  'fe80::1%1',
  '8.8.8.8%1',
  '8.8.8.8/32',
  '8.8.8.8:443',
]

/** Where clouds tell a machine its own credentials. */
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  // Through a translator: NAT64, an operator's own NAT64, 6to4.
  '64:ff9b::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:FF9B:0::0:A9FE:AA02',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:a9fe:a9:fe00::',
  '2002:a9fe:a9fe::1',
  '2002:6464:64c8:ffff::',
]

describe('An address', () => {
  for (const [first, last, before, after] of NOT_PUBLIC)
    it(`is not public from ${first} to ${last}`, () => {
      assert.equal(isPublicAddress(first), false, first)
      assert.equal(isPublicAddress(last), false, last)
      if (before !== null) assert.equal(isPublicAddress(before), true, before)
      if (after !== null) assert.equal(isPublicAddress(after), true, after)
    })

  it('is public elsewhere', () => {
    for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address)
  })

  it('is neither public nor connected to unless it is plain', () => {
    for (const text of [...NO_ADDRESSES, ...NOT_PLAIN]) {
      assert.equal(isPublicAddress(text), false, text)
      assert.equal(ALL_TARGETS.allows(text), false, text)
    }
  })

  it('may be private where that is allowed, but never where credentials are handed out', () => {
    for (const address of ['127.0.0.1', '::1', '10.1.2.3', '192.168.0.9', 'fd12::1', ...PUBLIC])
      assert.equal(ALL_TARGETS.allows(address), true, address)
    for (const address of METADATA) {
      assert.equal(ALL_TARGETS.allows(address), false, address)
      assert.equal(PUBLIC_TARGETS.allows(address), false, address)
    }
  })

  it('is also the IPv4 address that a translator makes of it', () => {
    for (const [address, ...forms] of [
      ['10.1.2.3', '10.1.2.3'],
      ['2606:4700::1', '2606:4700::1'],
      ['::ffff:10.1.2.3', '::ffff:10.1.2.3', '10.1.2.3'],
      ['64:ff9b::a01:203', '64:ff9b::a01:203', '10.1.2.3'],
      ['64:ff9b:0:0:0:0:c0a8:1', '64:ff9b:0:0:0:0:c0a8:1', '192.168.0.1'],
      ['2002:a01:203::7', '2002:a01:203::7', '10.1.2.3'],
      ['2002:a01:203:1:2:3:4:5', '2002:a01:203:1:2:3:4:5', '10.1.2.3'],
      ['not an address'],
    ] as [string, ...string[]][])
      assert.deepEqual(formsOf(address), forms, address)
  })

  it('may be private where its network is listed, in every form it has', () => {
    const { allows } = targetsWithin(
      networkList(['10.1.0.0/16', '192.168.5.7', 'fd12::/16', '2002::/16', '169.254.0.0/16'], 'networks'),
    )
    for (const address of [
      '10.1.2.3',
      '10.1.255.255',
      '192.168.5.7',
      'fd12::1',
      '::ffff:10.1.2.3',
      '2002:a01:203::',
    ])
      assert.equal(allows(address), true, address)
    for (const address of PUBLIC) assert.equal(allows(address), true, address)
    for (const address of [
      '10.2.0.0',
      '192.168.5.8',
      '127.0.0.1',
      '::1',
      '64:ff9b::a01:203',
      '2002:a02:203::',
      'x',
    ])
      assert.equal(allows(address), false, address)
    for (const address of METADATA) assert.equal(allows(address), false, address)
  })
})
