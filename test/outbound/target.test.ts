import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ALL_TARGETS, PUBLIC_TARGETS, targetsWithin } from '../../src/outbound/policy.ts'
import { problemOfTarget, readTarget, type TargetProblem } from '../../src/outbound/target.ts'
import { networkList } from '../../src/system/networks.ts'

type Row = [url: string, publicOnly: TargetProblem | null, privateToo: TargetProblem | null]

const label = (length: number) => 'a'.repeat(length)
const TARGETS: Row[] = [
  ['https://example.com', null, null],
  ['https://example.com/hook?a=b#c', null, null],
  ['HTTPS://EXAMPLE.COM./hook', null, null],
  ['https://saúde.example.com.br/recebe', null, null],
  ['https://my_hook.example.com/@someone', null, null],
  ['https://8.8.8.8/', null, null],
  ['https://[2606:4700:4700::1111]/', null, null],

  ['', 'INVALID_URL', 'INVALID_URL'],
  ['example.com', 'INVALID_URL', 'INVALID_URL'],
  ['//example.com/', 'INVALID_URL', 'INVALID_URL'],
  ['https:example.com', 'INVALID_URL', 'INVALID_URL'],
  ['https:/example.com', 'INVALID_URL', 'INVALID_URL'],
  ['https:///example.com', 'INVALID_URL', 'INVALID_URL'],
  ['https://', 'INVALID_URL', 'INVALID_URL'],
  ['https://?x', 'INVALID_URL', 'INVALID_URL'],
  ['https:\\\\example.com\\', 'INVALID_URL', 'INVALID_URL'],
  ['https://example.com\\@10.0.0.1/', 'INVALID_URL', 'INVALID_URL'],
  [' https://example.com', 'INVALID_URL', 'INVALID_URL'],
  ['https://example.com/\n', 'INVALID_URL', 'INVALID_URL'],
  ['https://exam\tple.com/', 'INVALID_URL', 'INVALID_URL'],
  ['https://example.com/a b', 'INVALID_URL', 'INVALID_URL'],
  ['https://example\u00ad.com/', 'INVALID_URL', 'INVALID_URL'],
  ['https://exam%00ple.com/', 'INVALID_URL', 'INVALID_URL'],
  ['https://a..example.com/', 'INVALID_URL', 'INVALID_URL'],
  ['https://.example.com/', 'INVALID_URL', 'INVALID_URL'],
  ['https://./', 'INVALID_URL', 'INVALID_URL'],
  ['https://example.com../', 'INVALID_URL', 'INVALID_URL'],
  // To the URL parser a name, to some resolvers an address.
  ['https://0x7f.1../', 'INVALID_URL', 'INVALID_URL'],
  ['https://*.example.com/', 'INVALID_URL', 'INVALID_URL'],
  ['https://256.1.1.1/', 'INVALID_URL', 'INVALID_URL'],
  ['https://1.2.3.4.5/', 'INVALID_URL', 'INVALID_URL'],
  ['https://[fe80::1%25eth0]/', 'INVALID_URL', 'INVALID_URL'],
  ['https://[2606:4700::1%eth0]/', 'INVALID_URL', 'INVALID_URL'],
  ['https://example.com:65536/', 'INVALID_URL', 'INVALID_URL'],
  [`https://${label(63)}.example.com/`, null, null],
  [`https://${label(64)}.example.com/`, 'INVALID_URL', 'INVALID_URL'],
  [`https://${'a.'.repeat(124)}a.com/`, null, null],
  [`https://${'a.'.repeat(125)}a.com/`, 'INVALID_URL', 'INVALID_URL'],
  [`https://example.com/${label(2_028)}`, null, null],
  [`https://example.com/${label(2_029)}`, 'INVALID_URL', 'INVALID_URL'],
  // 2,048 characters as written, three times as many as sent.
  [`https://example.com/${'é'.repeat(1_000)}`, 'INVALID_URL', 'INVALID_URL'],

  ['http://example.com/', 'NOT_HTTPS', null],
  ['ftp://example.com/', 'NOT_HTTPS', 'NOT_HTTPS'],
  ['file://example.com/etc/passwd', 'NOT_HTTPS', 'NOT_HTTPS'],
  ['gopher://example.com:70/', 'NOT_HTTPS', 'NOT_HTTPS'],
  ['ws://example.com/', 'NOT_HTTPS', 'NOT_HTTPS'],

  ['https://user@example.com/', 'CREDENTIALS', 'CREDENTIALS'],
  ['https://user:secret@example.com/', 'CREDENTIALS', 'CREDENTIALS'],
  ['https://@example.com/', 'CREDENTIALS', 'CREDENTIALS'],
  ['https://:@example.com/', 'CREDENTIALS', 'CREDENTIALS'],
  ['https://example.com@127.0.0.1/', 'CREDENTIALS', 'CREDENTIALS'],

  ['https://localhost/', 'PRIVATE_ADDRESS', null],
  ['https://LocalHost./', 'PRIVATE_ADDRESS', null],
  ['https://a.localhost/', 'PRIVATE_ADDRESS', null],
  ['https://printer.local/', 'PRIVATE_ADDRESS', null],
  ['https://metadata.google.internal/', 'PRIVATE_ADDRESS', null],
  ['https://router.home.arpa./', 'PRIVATE_ADDRESS', null],
  ['https://intranet/', 'PRIVATE_ADDRESS', null],
  ['https://com./', 'PRIVATE_ADDRESS', null],
  ['https://mylocalhost.example/', null, null],
  ['https://local.example.com/', null, null],
  ['https://notinternal.example/', null, null],
  ['https://127.0.0.1/', 'PRIVATE_ADDRESS', null],
  ['https://127.0.0.1./', 'PRIVATE_ADDRESS', null],
  ['https://10.0.0.1/', 'PRIVATE_ADDRESS', null],
  ['https://[::1]/', 'PRIVATE_ADDRESS', null],
  ['https://[::ffff:8.8.8.8]/', 'PRIVATE_ADDRESS', null],
  ['https://169.254.169.254/', 'PRIVATE_ADDRESS', 'PRIVATE_ADDRESS'],
  ['https://[::ffff:169.254.169.254]/', 'PRIVATE_ADDRESS', 'PRIVATE_ADDRESS'],

  ['https://example.com:443/', null, null],
  ['https://example.com:8443/', null, null],
  ['https://example.com:1024/', null, null],
  ['https://example.com:65535/', null, null],
  ['https://example.com:0/', 'PORT', 'PORT'],
  ['https://example.com:22/', 'PORT', 'PORT'],
  ['https://example.com:25/', 'PORT', 'PORT'],
  ['https://example.com:80/', 'PORT', null],
  ['https://example.com:442/', 'PORT', 'PORT'],
  ['https://example.com:444/', 'PORT', 'PORT'],
  ['https://example.com:1023/', 'PORT', 'PORT'],
  ['https://example.com:2049/', 'PORT', 'PORT'],
  ['https://example.com:6000/', 'PORT', 'PORT'],
  ['https://example.com:6664/', null, null],
  ['https://example.com:6665/', 'PORT', 'PORT'],
  ['https://example.com:6669/', 'PORT', 'PORT'],
  ['https://example.com:6670/', null, null],
  ['https://example.com:10080/', 'PORT', 'PORT'],
]

describe('A target', () => {
  for (const [url, publicOnly, privateToo] of TARGETS)
    it(`${JSON.stringify(url.slice(0, 60))}: ${publicOnly ?? 'fine'}, in an intranet ${privateToo ?? 'fine'}`, () => {
      assert.equal(problemOfTarget(url, PUBLIC_TARGETS), publicOnly)
      assert.equal(problemOfTarget(url, ALL_TARGETS), privateToo)
    })

  it('of a listed network needs HTTPS; its name is judged once it resolves', () => {
    const intranet = targetsWithin(networkList(['10.1.0.0/16'], 'networks'))
    for (const [url, expected] of [
      ['https://10.1.2.3/', null],
      ['https://10.2.0.1/', 'PRIVATE_ADDRESS'],
      ['https://vigilancia.internal/', null],
      ['https://8.8.8.8/', null],
      ['http://10.1.2.3/', 'NOT_HTTPS'],
      ['https://10.1.2.3:80/', 'PORT'],
    ] as const)
      assert.equal(problemOfTarget(url, intranet), expected, url)
  })

  it('is connected to as it was judged: no final dot, no brackets, no fragment', () => {
    assert.deepEqual(readTarget('https://EXAMPLE.com.:8443/a/../b?c=d#e', PUBLIC_TARGETS), {
      secure: true,
      host: 'example.com',
      port: 8443,
      authority: 'example.com:8443',
      path: '/b?c=d',
    })
    assert.deepEqual(readTarget('http://[0:0::1]#x', ALL_TARGETS), {
      secure: false,
      host: '::1',
      port: 80,
      authority: '[::1]',
      path: '/',
    })
  })
})
