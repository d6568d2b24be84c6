/** Ways to write an address that only this machine or its network should know. */
export const INSIDE = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.0.1',
]

const hex = (number: number) => number.toString(16)
const octal = (number: number) => `0${number.toString(8)}`
const fullwidth = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
const circled = (text: string) =>
  text.replaceAll(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit)))
const percentEncoded = (text: string) =>
  [...text].map((letter) => `%${hex(letter.charCodeAt(0)).padStart(2, '0')}`).join('')

/** Spellings that a URL parser takes for this IPv4 address. */
export function ipv4Spellings(address: string): string[] {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number]
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const low24 = (b << 16) | (c << 8) | d
  const low16 = (c << 8) | d
  const bytes = [a, b, c, d]
  return [
    address,
    `${address}.`,
    `${address}%2e`,
    `${whole}`,
    `${whole}.`,
    `0x${hex(whole)}`,
    `0X${hex(whole).toUpperCase()}`,
    `0x00000000${hex(whole)}`,
    octal(whole),
    `0000${octal(whole)}`,
    `${a}.${low24}`,
    `${a}.${b}.${low16}`,
    `0x${hex(a)}.0x${hex(low24)}`,
    `${octal(a)}.${octal(low24)}`,
    bytes.map(octal).join('.'),
    bytes.map((byte) => `000${octal(byte)}`).join('.'),
    bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    `0x${hex(a)}.${octal(b)}.${c}.0x${hex(d)}`,
    `${octal(a)}.${b}.0x${hex(low16)}`,
    fullwidth(address),
    fullwidth(address).replaceAll('.', '．'),
    circled(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '｡'),
    address.replaceAll('.', '%2E'),
    percentEncoded(address),
    percentEncoded(`${whole}`),
  ]
}

/** IPv6 addresses that carry this IPv4 address, by every scheme that has been thought of. */
export function embeddings(address: string): string[] {
  const bytes = address.split('.').map((byte) => hex(Number(byte)).padStart(2, '0')) as string[]
  const high = `${bytes[0]}${bytes[1]}`
  const low = `${bytes[2]}${bytes[3]}`
  const inverted = [high, low].map((word) => hex(Number.parseInt(word, 16) ^ 0xffff)).join(':')
  return [
    `[::ffff:${address}]`,
    `[::FFFF:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[0000:0000:0000:0000:0000:FFFF:${address}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
    `[2001::${inverted}]`,
    `[fe80::5efe:${address}]`,
  ]
}

const IPV6_INSIDE = [
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0.0.0.1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fd00:ec2::254]',
  '[FC00::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
]

const LOCAL_NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'ｌｏｃａｌｈｏｓｔ',
  'local%68ost',
  'a.localhost',
  'a.b.LocalHost.',
  'printer.local',
  'metadata.google.internal',
  'metadata.google.internal.',
  'router.home.arpa',
  'intranet',
  'metadata',
]

const NOT_AN_ADDRESS = [
  '[fe80::1%25lo]',
  '[fe80::1%lo]',
  '[::1',
  '127.0.0.1%00.example.com',
  '127.0.0.1%20',
  '127.0.0.1%09',
  '127.0.0.256',
  '127.0.0.1.1',
  '127..1',
  '127.0.0.1..',
  '0x7f.1..',
  '2130706433..',
  '0x7f.1.example..com',
]

/** URLs with this port that lead inside, or would for a reader less strict. */
export function hostileTargets(port: number): string[] {
  const hosts = [
    ...INSIDE.flatMap(ipv4Spellings),
    ...INSIDE.flatMap(embeddings),
    ...IPV6_INSIDE,
    ...LOCAL_NAMES,
    ...NOT_AN_ADDRESS,
  ]
  const tricks = ['127.0.0.1', '[::1]', 'localhost', '2130706433'].flatMap((host) => [
    `https://example.com@${host}:${port}/`,
    `https://example.com:443@${host}:${port}/`,
    `https://@${host}:${port}/`,
    `https://:@${host}:${port}/`,
    `https://example.com%40@${host}:${port}/`,
    `https://example.com\\@${host}:${port}/`,
    `https://${host}:${port}\\@example.com/`,
    `https:\\\\${host}:${port}\\`,
    `https:/\\${host}:${port}/`,
    `https:${host}:${port}/`,
    `https:/${host}:${port}/`,
    `https:///${host}:${port}/`,
    ` https://${host}:${port}/`,
    `ht\ntps://${host}:${port}/`,
    `https://${host}:\t${port}/`,
    `https://${host}:00${port}/`,
    `https://${host}:${port}#@example.com/`,
    `https://${host}:${port}?@example.com/`,
    `HTTPS://${host}:${port}/`,
    `http://${host}:${port}/`,
    `ftp://${host}:${port}/`,
    `//${host}:${port}/`,
    `${host}:${port}`,
  ])
  const oddPorts = [0, 1, 22, 25, 80, 445, 1023, 2049, 6000, 6667, 10080].map(
    (odd) => `https://hooks.example.com:${odd}/`,
  )
  return [...hosts.map((host) => `https://${host}:${port}/`), ...tricks, ...oddPorts]
}
