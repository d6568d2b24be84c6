import type { UFS } from '../../../brasil/uf.ts'
import { codeOf, isMissing, labelOf } from './values.ts'

type Uf = (typeof UFS)[number]

/** IBGE code, letters, name. */
const STATES: [number, Uf, string][] = [
  [11, 'RO', 'rondonia'],
  [12, 'AC', 'acre'],
  [13, 'AM', 'amazonas'],
  [14, 'RR', 'roraima'],
  [15, 'PA', 'para'],
  [16, 'AP', 'amapa'],
  [17, 'TO', 'tocantins'],
  [21, 'MA', 'maranhao'],
  [22, 'PI', 'piaui'],
  [23, 'CE', 'ceara'],
  [24, 'RN', 'rio_grande_do_norte'],
  [25, 'PB', 'paraiba'],
  [26, 'PE', 'pernambuco'],
  [27, 'AL', 'alagoas'],
  [28, 'SE', 'sergipe'],
  [29, 'BA', 'bahia'],
  [31, 'MG', 'minas_gerais'],
  [32, 'ES', 'espirito_santo'],
  [33, 'RJ', 'rio_de_janeiro'],
  [35, 'SP', 'sao_paulo'],
  [41, 'PR', 'parana'],
  [42, 'SC', 'santa_catarina'],
  [43, 'RS', 'rio_grande_do_sul'],
  [50, 'MS', 'mato_grosso_do_sul'],
  [51, 'MT', 'mato_grosso'],
  [52, 'GO', 'goias'],
  [53, 'DF', 'distrito_federal'],
]
const BY_TEXT = new Map<string, Uf>(
  STATES.flatMap(([codigo, uf, nome]) => [
    [String(codigo), uf],
    [uf.toLowerCase(), uf],
    [nome, uf],
  ]),
)

export function readUf(text: string): Uf | null | undefined {
  if (isMissing(text)) return null
  return BY_TEXT.get(codeOf(text)) ?? BY_TEXT.get(labelOf(text))
}

/** The state that a municipality's code begins with. */
export const ufOfCodigo = (codigo: string): Uf | null => BY_TEXT.get(codigo.slice(0, 2)) ?? null
