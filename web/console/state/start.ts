import { PATHS } from '../paths.ts'
import { preferences } from './preferences.ts'

/** Levels of places as preferences name them, and as the address does. */
const NAMES: Record<string, string> = { uf: 'uf', regiao_saude: 'regiao', municipio: 'municipio' }

/** Address of the painel as the menu and the sign-in lead to it: that of the chosen place. The bare address stays the country's. */
export function painelStart(): string {
  const [nivel = '', codigo = ''] = (preferences.value.territorio ?? '').split(':')
  const name = NAMES[nivel]
  return name === undefined ? PATHS.painel : `${PATHS.painel}?${name}=${encodeURIComponent(codigo)}`
}
