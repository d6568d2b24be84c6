/** Providers of single sign-on, as the page tells them (`src/http/console.ts`): the buttons need no request. */
export interface Provedor {
  id: string
  nome: string
}

const PREFIX = 'sso-'

export const provedores: readonly Provedor[] = [
  ...document.querySelectorAll<HTMLMetaElement>('meta[name="provedor"]'),
].map(({ id, content }) => ({ id: id.slice(PREFIX.length), nome: content }))
