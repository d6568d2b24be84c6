import type { Municipios } from '../../brasil/municipios.ts'
import type { Problem } from '../../errors/catalogue.ts'
import { type CampoSigiloso, type Campos, type NomeDeCampo, SIGILOSOS, VAZIO } from './campos.ts'
import { changedFields } from './historico.ts'
import { applyRules } from './regras.ts'

/**
 * Changes of a case, by what the one who makes them may know of it. Nobody learns a secret value by sending guesses: for
 * callers who may not identify patients, nothing that they can see afterwards depends on one.
 */

export interface Alteracao {
  campos: Campos
  /** The fields that count as changed. */
  alterados: NomeDeCampo[]
  problems: Problem[]
}

export type Alterar = (
  before: Campos,
  sent: Partial<Campos>,
  today: string,
  municipios: Municipios,
) => Alteracao

export const alterarBy = (identifies: boolean): Alterar => (identifies ? alterIdentified : alterConcealed)

const alterIdentified: Alterar = (before, sent, today, municipios) => {
  const { campos, problems } = applyRules(before, sent, today, municipios)
  return { campos, problems, alterados: changedFields(before, campos) }
}

/**
 * Judged by the open fields and by what is sent: a secret value that stays is compared with nothing, so the age stays
 * too unless a birth date is sent. Secret fields that are sent count as changed, also where they are equal.
 */
const alterConcealed: Alterar = (before, sent, today, municipios) => {
  const whole = withWholePoint(sent)
  const { campos, problems } = applyRules({ ...before, ...SEM_SIGILO }, whole, today, municipios)
  for (const nome of SIGILOSOS) if (!Object.hasOwn(whole, nome)) keep(campos, before, nome)
  return { campos, problems, alterados: changedFields(before, campos, secretsIn(whole)) }
}

const SEM_SIGILO = Object.fromEntries(SIGILOSOS.map((nome) => [nome, VAZIO[nome]])) as Pick<
  Campos,
  CampoSigiloso
>

function keep<N extends NomeDeCampo>(campos: Campos, before: Campos, nome: N): void {
  campos[nome] = before[nome]
}

const secretsIn = (sent: Partial<Campos>) => SIGILOSOS.filter((nome) => Object.hasOwn(sent, nome))

/** Half a point stands for the whole: the other half is not taken from what is stored. */
function withWholePoint(sent: Partial<Campos>): Partial<Campos> {
  if (!Object.hasOwn(sent, 'latitude') && !Object.hasOwn(sent, 'longitude')) return sent
  return { latitude: null, longitude: null, ...sent }
}
