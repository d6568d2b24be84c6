/** Verification of `webhook-signature` (Standard Webhooks), as `docs/webhooks.md` explains it. */

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto'

export function verify(secret, body, headers, now = Date.now()) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': sent = '' } = headers
  if (!(Math.abs(now / 1000 - Number(time)) < 300)) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const mac = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(body)
  const expected = Buffer.from(\`v1,\${mac.digest('base64')}\`)
  return sent.split(' ').some((one) => {
    const given = Buffer.from(one)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`

const PYTHON = `import base64, hashlib, hmac, time

def verify(secret, body, headers, now=None):
    sent = headers.get("webhook-timestamp", "")
    if not sent.isdecimal() or abs((now or time.time()) - int(sent)) >= 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id')}.{sent}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(one, expected) for one in given)
`

const PHP = `<?php
function verify(string $secret, string $body, array $headers, ?int $now = null): bool {
    $time = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($time) || abs(($now ?? time()) - (int) $time) >= 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = $headers['webhook-id'] . '.' . $time . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}
`

export const EXAMPLES = { Node: NODE, Python: PYTHON, PHP } as const
export type ExampleLanguage = keyof typeof EXAMPLES
