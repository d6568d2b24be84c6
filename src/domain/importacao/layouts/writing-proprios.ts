import type { ProprioCompilado } from '../../casos/agravos/conferir.ts'
import type { CampoProprio } from '../../casos/agravos/definicao.ts'
import type { WalkedCaso } from '../../casos/reading/walked.ts'

/** Writers of columns that hold a disease's own fields: `proprios.ts` read backwards. Options without a code of SINAN are blank. */

export function proprioWriter(
  { nome, flat, campo }: ProprioCompilado,
  coluna: string,
): (caso: WalkedCaso) => string {
  const encode = encoderOf(campo, campo.sinan.indexOf(coluna))
  return ({ proprios, sigilo }) => {
    const value = campo.sigiloso ? (sigilo as Record<string, unknown> | null)?.[flat] : proprios?.[nome]
    return value === null || value === undefined ? '' : encode(value)
  }
}

/** Between several codes in one cell. */
const BETWEEN = '|'

/** `place`: of the column among those of the field. */
function encoderOf(campo: CampoProprio, place: number): (value: unknown) => string {
  const codes = new Map(campo.opcoes.map(({ codigo, sinan }) => [codigo, sinan[0] ?? '']))
  const codeOf = (value: unknown) => codes.get(String(value)) ?? ''
  switch (campo.tipo) {
    case 'bool':
      return (value) => (value === true ? '1' : '2')
    case 'opcao':
      return codeOf
    case 'opcoes':
      return (value) => itemsOf((value as unknown[]).map(codeOf), place, campo.sinan.length).join(BETWEEN)
    case 'municipio':
      return (value) => String(value).slice(0, 6)
    default:
      return String
  }
}

/** One value for each column, those beyond in the last. */
function itemsOf(codes: readonly string[], place: number, columns: number): string[] {
  const known = codes.filter((code) => code !== '')
  return place === columns - 1 ? known.slice(place) : known.slice(place, place + 1)
}

/** Bytes of the widest cell. */
export function proprioWidth({
  tipo,
  opcoes,
  minimo = 0,
  maximo = 0,
  casas,
  max = 0,
  sinan,
}: CampoProprio): number {
  const longest = Math.max(1, ...opcoes.map((one) => one.sinan[0]?.length ?? 0))
  switch (tipo) {
    case 'bool':
      return 1
    case 'opcao':
      return longest
    case 'opcoes':
      return Math.min(MOST, (longest + 1) * Math.max(1, opcoes.length - sinan.length + 1))
    case 'inteiro':
      return Math.max(String(minimo).length, String(maximo).length)
    case 'numero':
      return Math.max(String(Math.trunc(minimo)).length, String(Math.trunc(maximo)).length) + (casas ?? 2) + 2
    case 'municipio':
      return 6
    case 'data':
      return 8
    default:
      return Math.min(MOST, max)
  }
}

/** Widest field of a DBF. */
const MOST = 254
