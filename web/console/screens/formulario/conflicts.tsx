import { useQueries } from '@tanstack/preact-query'
import { ufOfMunicipio } from '../../../../src/brasil/uf.ts'
import type { Campos, CampoValue, FieldName, Local } from '../../../../src/domain/casos/campos.ts'
import { lugaresOfUf } from '../../state/territorios.ts'
import { registroTexts } from '../../state/texts/registro.ts'
import { texts } from '../../state/texts.ts'
import { ConflictDialog, type ConflictRow, type Side } from '../../ui/conflict.tsx'
import { writeDate } from '../../ui/date-text.ts'
import type { Ficha } from './ficha.ts'
import type { CaseForm } from './form-state.ts'
import { sameValue } from './reading.ts'
import { type Detalhe, fromDetalhe, lastChangeOf, versaoOf } from './record.ts'

/** Two versions of a case over a common one: what the form changed, and what is stored now. */
export interface Conflict {
  campos: Campos
  versao: number
  /** Municipalities that are named in it. */
  municipios: number[]
  words(municipio: (codigo: number) => string): {
    rows: ConflictRow[]
    others: { label: string; value: string }[]
    who: string | null
    when: Date | null
  }
}

export function conflictOf(form: CaseForm, answer: Detalhe): Conflict {
  const { ficha } = form
  const labelOf = (nome: FieldName) => ficha.labelOf(nome, texts())
  const campos = fromDetalhe(answer, ficha)
  const before = form.base.peek() as Campos
  const mine = form.changes.peek()
  const theirs = ficha.fields.filter((nome) => !sameValue(before[nome], campos[nome]))
  const isMine = (nome: FieldName) => mine[nome] !== undefined
  const both = theirs.filter((nome) => isMine(nome) && !sameValue(mine[nome], campos[nome]))
  const others = theirs.filter((nome) => !isMine(nome))
  const last = lastChangeOf(answer)
  const municipios = theirs
    .filter(ficha.isMunicipio)
    .flatMap((nome) => [before[nome], mine[nome], campos[nome]])
    .filter((value) => typeof value === 'number')
  return {
    campos,
    versao: versaoOf(answer),
    municipios,
    words: (municipio) => ({
      rows: both.map((nome) => ({
        key: nome,
        label: labelOf(nome),
        before: valueText(ficha, nome, before[nome], municipio),
        mine: valueText(ficha, nome, mine[nome], municipio),
        theirs: valueText(ficha, nome, campos[nome], municipio),
      })),
      others: others.map((nome) => ({
        label: labelOf(nome),
        value: valueText(ficha, nome, campos[nome], municipio),
      })),
      who: last?.usuario?.nome ?? null,
      when: last === null ? null : new Date(last.data),
    }),
  }
}

interface CaseConflictProps {
  conflict: Conflict
  isSending: boolean
  onSend(sides: Record<string, Side>): void
  onClose(): void
}

/** Comparison of both versions. Loaded where there is a conflict: few forms meet one. */
export function CaseConflict({ conflict, ...rest }: CaseConflictProps) {
  const municipio = useMunicipioNames(conflict)
  return <ConflictDialog {...conflict.words(municipio)} {...rest} />
}

/** Names of municipalities of a conflict; codes until they are known. */
function useMunicipioNames(conflict: Conflict): (codigo: number) => string {
  const ufs = [...new Set(conflict.municipios.map(ufOfMunicipio))]
  const found = useQueries({ queries: ufs.map((uf) => lugaresOfUf(uf)) })
  const names = new Map(
    found.flatMap(({ data = [] }) => data.map(({ codigo, nome }) => [codigo, nome] as const)),
  )
  return (codigo) => names.get(String(codigo)) ?? String(codigo)
}

/** A value in words. */
function valueText(
  ficha: Ficha,
  nome: FieldName,
  value: CampoValue | undefined,
  municipio: (codigo: number) => string,
): string {
  const t = texts().formulario
  const { kind } = ficha.campoOf(nome)
  if (value === null || value === undefined) return registroTexts().conflict.empty
  if (typeof value === 'boolean') return value ? t.sim : t.nao
  if (Array.isArray(value))
    return (value as (string | Local)[])
      .map((one) => (typeof one === 'string' ? ficha.wordOf(nome, one, texts()) : one.local))
      .join(', ')
  if (typeof value === 'number') return value >= 1_000_000 ? municipio(value) : String(value)
  if (kind === 'date') return writeDate(value)
  return kind === 'one-of' ? ficha.wordOf(nome, value, texts()) : value
}
