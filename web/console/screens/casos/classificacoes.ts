import { CLASSIFICACOES, DENGUE_ONLY } from '../../../../src/domain/casos/enumeracoes.ts'

/** Classes of forms before 2014: read, no longer given. */
const OLD = [
  'dengue_classico',
  'dengue_com_complicacoes',
  'febre_hemorragica_dengue',
  'sindrome_choque_dengue',
]

/** Classifications that cases of these diseases can all be closed with. */
export function classificacoesOf(tipos: readonly string[]): string[] {
  const isDengue = tipos.every((tipo) => tipo === 'dengue')
  const hasDengue = tipos.includes('dengue')
  return CLASSIFICACOES.filter(
    (one) =>
      !OLD.includes(one) && (DENGUE_ONLY.includes(one) ? isDengue : one === 'confirmado' ? !hasDengue : true),
  )
}
