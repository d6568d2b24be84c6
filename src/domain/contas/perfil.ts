/** Profile of an account: fields about the person that its owner may edit, besides the email. */
export const PERFIL = [
  'nome',
  'telefone',
  'estado',
  'cidade',
  'funcao',
  'instituicao',
  'cargo',
  'departamento',
] as const
export type PerfilField = (typeof PERFIL)[number]

/** Copies the named fields; undefined ones are left out. */
export function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const given = names.filter((name) => from[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, from[name]])) as Pick<T, K>
}
