import { randomBytes } from 'node:crypto'

/** Key of a service account: a prefix that scanners of leaked secrets find, then 256 random bits. */
export const CHAVE = /^vgk_[\w-]{43}$/
const SHOWN = 'vgk_'.length + 8

export const newChave = () => `vgk_${randomBytes(32).toString('base64url')}`

/** Part of a key that may be shown and logged: 48 of its 256 bits. */
export const prefixOf = (chave: string) => chave.slice(0, SHOWN)
