import { semanaByCodigo, weekOf } from '../../../src/brasil/epi-week.ts'
import { type ContagemSemanal, type LugarContado, NO_CASES } from '../../../src/domain/epidemiologia/serie.ts'
import type { CurvaDeExemplo } from './exemplos-curva.ts'
import { linhasDe } from './exemplos-diagrama.ts'

/** A place with these cases a week, all of them probable and confirmed, and the same residents in every year. */
export const lugarDe = (cases: Iterable<readonly [number, number]>, populacao = 100_000): LugarContado => ({
  serie: new Map(
    [...cases].map(([week, casos]) => [week, { ...NO_CASES, notificados: casos, confirmados: casos }]),
  ),
  semPopulacao: new Map<number, ContagemSemanal>(),
  populacao: () => populacao,
  populacaoAno: (ano) => ano,
})

/** The same place where nobody knows how many live. */
export const semPopulacao = (lugar: LugarContado): LugarContado => ({
  ...lugar,
  semPopulacao: lugar.serie,
  populacao: () => null,
  populacaoAno: () => null,
})

export const weekOfCode = (codigo: number | string): number =>
  weekOf(semanaByCodigo(String(codigo))?.inicio as string)

/** The place of an example, with the population of its years. */
export function curvaDeExemplo({ anos, semanas }: CurvaDeExemplo): LugarContado {
  const populacao = new Map(linhasDe(anos).map(([ano, , residentes]) => [ano, residentes]))
  const contagens = linhasDe(semanas) as [number, ...number[]][]
  return {
    serie: new Map(
      contagens.map(
        ([codigo, notificados = 0, , confirmados = 0, descartados = 0, hospitalizados = 0, obitos = 0]) => [
          weekOfCode(codigo),
          { ...NO_CASES, notificados, confirmados, descartados, hospitalizados, obitos },
        ],
      ),
    ),
    semPopulacao: new Map(),
    populacao: (ano) => populacao.get(ano) ?? null,
    populacaoAno: (ano) => (populacao.has(ano) ? ano : null),
  }
}
