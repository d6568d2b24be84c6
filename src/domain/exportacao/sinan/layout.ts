import type { App } from '../../app.ts'
import type { CellValue, FileColumn } from '../../arquivos/csv.ts'
import type { CampoProprio } from '../../casos/agravos/definicao.ts'
import type { Agravo } from '../../casos/agravos/vigentes.ts'
import { isSecret } from '../../casos/campos.ts'
import type { TipoAgravo } from '../../casos/enumeracoes.ts'
import type { WalkedCaso } from '../../casos/reading/walked.ts'
import { SINAN_COLUMNS, type SinanColumn } from '../../importacao/layouts/columns.ts'
import { fieldsOfColumn, isKnown, tableOf } from '../../importacao/layouts/tabela.ts'
import { writerOf } from '../../importacao/layouts/writing.ts'
import { proprioWidth } from '../../importacao/layouts/writing-proprios.ts'

/**
 * Layouts of SINAN for exports: the columns of the files that DATASUS publishes, in their order, and, for identified exports, those
 * of the files that SINAN gives to a municipality as far as a case has them.
 */
export const LAYOUTS = ['sinan_online', 'sinan_net'] as const
export type LayoutDeExportacao = (typeof LAYOUTS)[number]

/** Diseases with a definition are of SINAN Net, as Zika. */
export const layoutOf = (tipo: TipoAgravo): LayoutDeExportacao =>
  tipo === 'dengue' || tipo === 'chikungunya' ? 'sinan_online' : 'sinan_net'

const words = (text: string): string[] => text.trim().split(/\s+/)

/** `*`: in identified exports only. Codes of a municipality's own tables and the neighbourhood of infection are blank: readers expect the columns. */
const COLUMNS: Record<LayoutDeExportacao, readonly string[]> = {
  sinan_online: words(`
    *NU_NOTIFIC TP_NOT ID_AGRAVO DT_NOTIFIC SEM_NOT NU_ANO SG_UF_NOT ID_MUNICIP ID_REGIONA ID_UNIDADE DT_SIN_PRI SEM_PRI
    *NM_PACIENT *DT_NASC ANO_NASC NU_IDADE_N CS_SEXO CS_GESTANT CS_RACA CS_ESCOL_N SG_UF ID_MN_RESI ID_RG_RESI
    *ID_DISTRIT *ID_BAIRRO *NM_BAIRRO *ID_LOGRADO *NM_LOGRADO *NU_NUMERO *NU_CEP *CS_ZONA ID_PAIS DT_INVEST ID_OCUPA_N
    FEBRE MIALGIA CEFALEIA EXANTEMA VOMITO NAUSEA DOR_COSTAS CONJUNTVIT ARTRITE ARTRALGIA PETEQUIA_N LEUCOPENIA LACO DOR_RETRO
    DIABETES HEMATOLOG HEPATOPAT RENAL HIPERTENSA ACIDO_PEPT AUTO_IMUNE
    DT_CHIK_S1 DT_CHIK_S2 DT_PRNT RES_CHIKS1 RES_CHIKS2 RESUL_PRNT DT_SORO RESUL_SORO DT_NS1 RESUL_NS1 DT_VIRAL RESUL_VI_N
    DT_PCR RESUL_PCR_ SOROTIPO HISTOPA_N IMUNOH_N HOSPITALIZ DT_INTERNA UF MUNICIPIO *HOSPITAL
    TPAUTOCTO COUFINF COPAISINF COMUNINF *CODISINF *CO_BAINF *NOBAIINF CLASSI_FIN CRITERIO DOENCA_TRA CLINC_CHIK EVOLUCAO DT_OBITO DT_ENCERRA
    ALRM_HIPOT ALRM_PLAQ ALRM_VOM ALRM_SANG ALRM_HEMAT ALRM_ABDOM ALRM_LETAR ALRM_HEPAT ALRM_LIQ DT_ALRM
    GRAV_PULSO GRAV_CONV GRAV_ENCH GRAV_INSUF GRAV_TAQUI GRAV_EXTRE GRAV_HIPOT GRAV_HEMAT GRAV_MELEN GRAV_METRO GRAV_SANG
    GRAV_AST GRAV_MIOC GRAV_CONSC GRAV_ORGAO DT_GRAV
    MANI_HEMOR EPISTAXE GENGIVO METRO PETEQUIAS HEMATURA SANGRAM LACO_N PLASMATICO EVIDENCIA PLAQ_MENOR CON_FHD COMPLICA
    TP_SISTEMA NDUPLIC_N DT_DIGITA CS_FLXRET FLXRECEBI MIGRADO_W`),
  sinan_net: words(`
    *NU_NOTIFIC TP_NOT ID_AGRAVO *CS_SUSPEIT DT_NOTIFIC SEM_NOT NU_ANO SG_UF_NOT ID_MUNICIP ID_REGIONA ID_UNIDADE DT_SIN_PRI SEM_PRI
    *NM_PACIENT *DT_NASC ANO_NASC NU_IDADE_N CS_SEXO CS_GESTANT CS_RACA CS_ESCOL_N SG_UF ID_MN_RESI ID_RG_RESI
    *ID_DISTRIT *ID_BAIRRO *NM_BAIRRO *ID_LOGRADO *NM_LOGRADO *NU_NUMERO *NU_CEP *CS_ZONA ID_PAIS NDUPLIC_N IN_VINCULA DT_INVEST ID_OCUPA_N
    CLASSI_FIN CRITERIO TPAUTOCTO COUFINF COPAISINF COMUNINF *CODISINF *CO_BAINFC *NOBAIINF DOENCA_TRA EVOLUCAO DT_OBITO DT_ENCERRA DT_DIGITA
    TP_SISTEMA TPUNINOT`),
}

/** Widths of the published headers and of the dictionary; one byte unless told, as most codes. */
const WIDTHS: Record<string, number> = {
  // Seven digits in SINAN; ours may be longer, and half a number would be another case's.
  NU_NOTIFIC: 40,
  ID_AGRAVO: 5,
  SEM_NOT: 6,
  SEM_PRI: 6,
  NU_ANO: 4,
  SG_UF_NOT: 2,
  ID_MUNICIP: 6,
  ID_REGIONA: 8,
  ID_UNIDADE: 7,
  NM_PACIENT: 70,
  ANO_NASC: 4,
  NU_IDADE_N: 4,
  CS_ESCOL_N: 2,
  SG_UF: 2,
  ID_MN_RESI: 6,
  ID_RG_RESI: 8,
  ID_DISTRIT: 4,
  ID_BAIRRO: 8,
  NM_BAIRRO: 72,
  ID_LOGRADO: 8,
  NM_LOGRADO: 60,
  NU_NUMERO: 10,
  NU_CEP: 8,
  ID_PAIS: 4,
  ID_OCUPA_N: 6,
  UF: 2,
  MUNICIPIO: 6,
  HOSPITAL: 7,
  COUFINF: 2,
  COPAISINF: 4,
  COMUNINF: 6,
  CODISINF: 4,
  CO_BAINF: 8,
  CO_BAINFC: 8,
  NOBAIINF: 60,
  CLASSI_FIN: 2,
  CRITERIO: 2,
  PLAQ_MENOR: 7,
  TPUNINOT: 2,
}
const WIDTHS_OF: Record<LayoutDeExportacao, Record<string, number>> = {
  sinan_online: WIDTHS,
  // No `A92.0`.
  sinan_net: { ...WIDTHS, ID_AGRAVO: 4 },
}
const DATE_WIDTH = 8
/** Two digits, the first zero. */
const PADDED = new Set(['CS_ESCOL_N'])

export interface SinanExport {
  colunas: FileColumn[]
  rowOf(caso: WalkedCaso): CellValue[]
}

export interface PedidoDoSinan {
  layout: LayoutDeExportacao
  identificado: boolean
  /** Names of columns are cut at ten characters, as in a DBF: longer ones are left out. */
  curto: boolean
}

export function sinanExport(
  agravo: Agravo,
  { layout, identificado, curto }: PedidoDoSinan,
  { municipios, agravos }: Pick<App, 'municipios' | 'agravos'>,
): SinanExport {
  const { vocabulario } = agravos.vigentes()
  const definicao = isKnown(agravo.definicao.codigo) ? null : agravo.definicao
  const table = new Map(tableOf(agravo, { vocabulario, textos: identificado }))
  const columns = namesOf(layout, table, definicao !== null).filter(
    ([nome, column]) => (identificado || !isSealed(nome, column)) && (!curto || nome.length <= LONGEST_NAME),
  )
  const context = { municipios, tipo: agravo.definicao.codigo, definicao }
  // A sixth of the columns of a file of dengue is empty: those are not asked for a cell.
  const written = columns.flatMap(([nome, column], place) => {
    const write = writerOf(nome, column, context)
    if (write === null) return []
    const isPadded = PADDED.has(nome) && column.reads !== 'proprio'
    return [{ place, write: isPadded ? (caso: WalkedCaso) => padded(write(caso)) : write }]
  })
  return {
    colunas: columns.map(([nome, column]) => toFileColumn(nome, column, WIDTHS_OF[layout])),
    rowOf(caso) {
      const row = new Array<CellValue>(columns.length).fill(null)
      for (const { place, write } of written) row[place] = write(caso) || null
      return row
    },
  }
}

const LONGEST_NAME = 10

/** Columns of the layout that the disease's files have. A known disease has its own fields behind them, others their form in between. */
function namesOf(
  layout: LayoutDeExportacao,
  table: ReadonlyMap<string, SinanColumn>,
  isDefined: boolean,
): [string, SinanColumn][] {
  const usual = COLUMNS[layout].map((nome) => nome.replace('*', ''))
  const asked = new Set(usual)
  const more = [...table].filter(([nome, column]) => !asked.has(nome) && isWritten(column, isDefined))
  if (!isDefined)
    return [...usual.map((nome): [string, SinanColumn] => [nome, columnOf(nome, table)]), ...more]
  const present = usual.flatMap((nome): [string, SinanColumn][] => {
    const column = table.get(nome)
    return column === undefined || ('fallback' in column && column.fallback) ? [] : [[nome, column]]
  })
  const end = usual.indexOf(LAST_OF_PATIENT)
  const at = present.filter(([nome]) => usual.indexOf(nome) <= end).length
  return [...present.slice(0, at), ...more, ...present.slice(at)]
}

const columnOf = (nome: string, table: ReadonlyMap<string, SinanColumn>) =>
  table.get(nome) ?? (SINAN_COLUMNS[nome] as SinanColumn)

/** Last column before the form of a disease; the conclusion is behind it. */
const LAST_OF_PATIENT = 'ID_OCUPA_N'

/** Columns with a value of a case; of a known disease only those of its own fields are not in its layout. */
function isWritten(column: SinanColumn, isDefined: boolean): boolean {
  if ('fallback' in column && column.fallback) return false
  return column.reads === 'proprio' || (isDefined && column.reads !== 'nothing')
}

const SEALED = new Set(
  Object.values(COLUMNS).flatMap((names) =>
    names.filter((nome) => nome.startsWith('*')).map((nome) => nome.slice(1)),
  ),
)

/** In identified exports only: what SINAN seals, sealed fields wherever they stand, and texts of a disease's own. */
function isSealed(nome: string, column: SinanColumn): boolean {
  if (column.reads === 'proprio')
    return column.proprio.campo.sigiloso || column.proprio.campo.tipo === 'texto'
  return SEALED.has(nome) || (!Object.hasOwn(SINAN_COLUMNS, nome) && fieldsOfColumn(column).some(isSecret))
}

const padded = (code: string): string => (code === '' ? '' : code.padStart(2, '0'))

function toFileColumn(nome: string, column: SinanColumn, widths: Record<string, number>): FileColumn {
  if (column.reads === 'proprio') return ownColumn(nome, column.proprio.campo)
  if (column.reads === 'date' || column.reads === 'date-soro-2')
    return { nome, kind: 'date', width: DATE_WIDTH }
  return {
    ...{ nome, kind: nome === 'NU_IDADE_N' ? 'integer' : 'text' },
    width: widths[nome] ?? widths[usualNameOf(column) ?? ''] ?? 1,
  }
}

const ownColumn = (nome: string, campo: CampoProprio): FileColumn => ({
  ...{ nome, kind: campo.tipo === 'data' ? 'date' : 'text', width: proprioWidth(campo) },
})

/** Column that usually has the field, for one that a definition moved. */
function usualNameOf(column: SinanColumn): string | undefined {
  const [campo] = fieldsOfColumn(column)
  if (campo === undefined) return undefined
  return Object.entries(SINAN_COLUMNS).find(([, usual]) => fieldsOfColumn(usual)[0] === campo)?.[0]
}
