import type { Campos, FieldName } from '../campos.ts'
import type { ChangedCase, Refuse, RegrasDoAgravo } from '../regras.ts'

/** Rules of a case that follow from the definition of its disease. */

export interface CodigosDoAgravo {
  classificacoes: ReadonlySet<string>
  criterios: ReadonlySet<string>
  evolucoes: ReadonlySet<string>
  classificacaoPadrao: string | null
  /** Classification that follows from an outcome. */
  classificacaoDe: ReadonlyMap<string, string>
  /** Standard fields that the disease does not have. */
  fora: readonly FieldName[]
}

/** Problems of own fields; `touched`: fields that the change sends with another value. */
export type CheckProprios = (campos: Campos, touched: (nome: string) => boolean, refuse: Refuse) => void

export const classifierOf =
  ({ classificacaoPadrao, classificacaoDe }: CodigosDoAgravo): RegrasDoAgravo['classify'] =>
  ({ campos, sent, before }, refuse) => {
    if (before === null && classificacaoPadrao !== null) campos.classificacao_final ??= classificacaoPadrao
    const decided = classificacaoDe.get(campos.evolucao ?? '')
    if (decided === undefined || sent.evolucao === undefined) return
    if (sent.classificacao_final != null && sent.classificacao_final !== decided)
      refuse('classificacao_final', 'INCONSISTENT', { field: 'evolucao' })
    else campos.classificacao_final = decided
  }

/** Suspicion of a new notification, in every disease. */
const SUSPEITO = 'suspeito'

/** A case stored under an earlier definition is not blamed for what it never had. */
export function checkerOf(codigos: CodigosDoAgravo, checkProprios: CheckProprios): RegrasDoAgravo['check'] {
  const { classificacoes, criterios, evolucoes, fora } = codigos
  const allowed: readonly (readonly [FieldName, ReadonlySet<string>])[] = [
    ['classificacao_final', classificacoes],
    ['classificacao_inicial', classificacoes],
    ['criterio_confirmacao', criterios],
    ['evolucao', evolucoes],
  ]
  return (change, refuse) => {
    const { campos } = change
    const touched = (nome: string) => isChanged(nome, change)
    const isJudged = (nome: FieldName) => campos[nome] !== null && (touched(nome) || touched('tipo_agravo'))
    for (const [nome, codes] of allowed)
      if (isJudged(nome) && campos[nome] !== SUSPEITO && !codes.has(campos[nome] as string))
        refuse(nome, 'INCONSISTENT', { field: 'tipo_agravo' })
    for (const nome of fora) if (isJudged(nome)) refuse(nome, 'INCONSISTENT', { field: 'tipo_agravo' })
    checkProprios(campos, touched, refuse)
  }
}

/** True for a sent field with another value than before; a client may send the whole case again. */
function isChanged(nome: string, { campos, sent, before }: ChangedCase): boolean {
  const valueIn = (values: object) => (values as Record<string, unknown>)[nome]
  if (valueIn(sent) === undefined) return false
  if (before === null) return true
  return JSON.stringify(valueIn(before) ?? null) !== JSON.stringify(valueIn(campos) ?? null)
}
