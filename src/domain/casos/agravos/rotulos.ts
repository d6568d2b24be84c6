import type { Language } from '../../../errors/texts.ts'
import type { App } from '../../app.ts'
import { isProprio as isOwn } from '../proprios.ts'
import type { AlteracaoDoCaso, HistoryEntry } from '../view.ts'
import { type CampoPadrao, type CampoProprio, type Definicao, isProprio } from './definicao.ts'
import { findVersao, listAtivacoes } from './definicoes.sql.ts'
import { labelOf } from './formulario.ts'
import { vigenteEm } from './leitura.ts'
import { sentName } from './nomes.ts'

/**
 * Words of a history: each line by the version of the definition that was in force when it was written. A disease in its first
 * version needs no statement, one in a later version one for the moments of its versions and one for each that the lines need.
 */
export async function comRotulos(
  { db, agravos }: Pick<App, 'db' | 'agravos'>,
  codigo: string,
  entries: readonly HistoryEntry[],
  language: Language,
): Promise<HistoryEntry[]> {
  const agravo = agravos.vigentes().get(codigo)
  if (agravo === undefined || !entries.some((one) => one.alteracoes.some(isWorded(agravo.definicao))))
    return [...entries]
  const ativacoes = agravo.versao === 1 ? [] : await listAtivacoes(db, codigo)
  const versaoEm = (data: Date) => vigenteEm(ativacoes, data) ?? agravo.versao
  const definicoes = new Map([[agravo.versao, agravo.definicao]])
  for (const versao of new Set(entries.map(({ data }) => versaoEm(data))))
    if (!definicoes.has(versao)) {
      const found = await findVersao(db, codigo, versao)
      if (found !== null) definicoes.set(versao, found.definicao)
    }
  return entries.map((entry) => {
    const definicao = definicoes.get(versaoEm(entry.data)) ?? agravo.definicao
    return { ...entry, alteracoes: entry.alteracoes.map((one) => worded(one, definicao, language)) }
  })
}

/** Fields that have words of a definition: its own, and standard ones that it renames. */
const isWorded =
  ({ campos }: Definicao) =>
  ({ campo }: AlteracaoDoCaso): boolean =>
    isOwn(campo) || campos.some((one) => !isProprio(one) && one.padrao === campo && one.rotulo !== undefined)

function worded(change: AlteracaoDoCaso, { campos }: Definicao, language: Language): AlteracaoDoCaso {
  const campo = campos.find((one) => (isProprio(one) ? sentName(one.nome) : one.padrao) === change.campo)
  if (campo === undefined) return change
  if (!isProprio(campo)) return renamed(change, campo)
  const words = { ...change, rotulo: labelOf(campo, language) }
  if (campo.opcoes.length === 0) return words
  return {
    ...words,
    rotulo_anterior: optionWords(campo, change.anterior),
    rotulo_novo: optionWords(campo, change.novo),
  }
}

const renamed = (change: AlteracaoDoCaso, { rotulo }: CampoPadrao): AlteracaoDoCaso =>
  rotulo === undefined ? change : { ...change, rotulo }

/** Several options as one text; null where there is no value, or none that may be seen. */
function optionWords({ opcoes }: CampoProprio, value: unknown): string | null {
  if (value === null || value === undefined) return null
  const word = (codigo: unknown) => opcoes.find((one) => one.codigo === codigo)?.rotulo ?? String(codigo)
  return Array.isArray(value) ? value.map(word).join(', ') : word(value)
}
