import type { CampoDoFormulario, FormularioDoAgravo } from '../../../src/domain/casos/agravos/formulario.ts'
import { CLASSIFICACOES, CRITERIOS, EVOLUCOES } from '../../../src/domain/casos/enumeracoes.ts'
import { isConhecido } from './agravos.ts'
import { CLASSIFICACOES_DO_FILTRO, type Filters } from './filter-address.ts'
import { idioma } from './preferences.ts'
import { api } from './session.ts'
import { addWords } from './texts.ts'

/** Forms of diseases by their definitions. The known ones are drawn by the console itself, which needs what a version added to them. */

export type { CampoDoFormulario, FormularioDoAgravo }

/** Standard fields whose codes a definition may bring, with those that every installation has. */
const VOCABULARIES: Record<string, readonly string[]> = {
  classificacao_final: CLASSIFICACOES,
  criterio_confirmacao: CRITERIOS,
  evolucao: EVOLUCOES,
}

interface Asked {
  isCounted?: boolean
  /** The form of the version that held at this moment. */
  em?: string | null
}

const isOwn = (value: string | null, known: readonly string[]) => value !== null && !known.includes(value)

/** Whether a filter has a code that only the definition of its disease words. */
export const hasOwnCode = ({ classificacao, evolucao, criterio }: Filters): boolean =>
  isOwn(classificacao, CLASSIFICACOES_DO_FILTRO) || isOwn(evolucao, EVOLUCOES) || isOwn(criterio, CRITERIOS)

/** Query of a form; none for all diseases at once, nor for known ones where numbers are counted: their own fields filter no counter. */
export const formularioOf = (codigo: string | null, { isCounted = false, em = null }: Asked = {}) => ({
  queryKey: ['agravos', codigo, 'formulario', idioma(), ...(em === null ? [] : [em])],
  queryFn: ({ signal }: { signal: AbortSignal }) => askFormulario(codigo as string, em, signal),
  enabled: codigo !== null && !(isCounted && isConhecido(codigo)),
  staleTime: Number.POSITIVE_INFINITY,
  placeholderData: () => undefined,
})

async function askFormulario(
  codigo: string,
  em: string | null,
  signal: AbortSignal,
): Promise<FormularioDoAgravo> {
  const path = '/api/v1/agravos/tipos/{codigo}/formulario'
  const asked = { params: { codigo }, ...(em !== null && { query: { em } }) }
  const formulario = (await api.get(path, asked, { signal })) as unknown as FormularioDoAgravo
  // Words of the past are not those of lists and filters.
  if (em !== null) return formulario
  addWords(
    Object.fromEntries(Object.keys(VOCABULARIES).flatMap((nome) => wordsIn(campoIn(formulario, nome)))),
  )
  return formulario
}

const wordsIn = (campo: CampoDoFormulario | undefined) =>
  (campo?.opcoes ?? []).map(({ codigo, rotulo }) => [codigo, rotulo])

export const camposIn = (formulario: FormularioDoAgravo | undefined): CampoDoFormulario[] =>
  formulario?.grupos.flatMap(({ campos }) => campos) ?? []

export const campoIn = (formulario: FormularioDoAgravo | undefined, nome: string) =>
  camposIn(formulario).find((campo) => campo.nome === nome)

/** Codes that a disease allows in a standard field; undefined while that is not known. */
export const codigosIn = (formulario: FormularioDoAgravo | undefined, nome: string) =>
  campoIn(formulario, nome)?.opcoes.map(({ codigo }) => codigo)

/** Codes of a standard field that a version added to those of every installation. */
export const addedCodes = (formulario: FormularioDoAgravo | undefined, nome: string): string[] =>
  codigosIn(formulario, nome)?.filter((codigo) => VOCABULARIES[nome]?.includes(codigo) === false) ?? []

/** Labels of a definition by name of the field: of own fields and of those that it renames. Each words the onset; the known keep theirs. */
export const rotulosIn = (formulario: FormularioDoAgravo | undefined): ReadonlyMap<string, string> =>
  new Map(
    camposIn(formulario)
      .filter(({ renomeado }) => renomeado)
      .filter(({ nome }) => nome !== 'data_inicio_sintomas' || !isConhecido(formulario?.codigo ?? ''))
      .map(({ nome, rotulo }) => [nome, rotulo]),
  )

/** True where a version of a known disease changed its form: fields, labels, or codes that not every installation has. */
export function hasAdditions(formulario: FormularioDoAgravo): boolean {
  const rotulos = rotulosIn(formulario)
  return (
    camposIn(formulario).some(({ nome, ativo }) => ativo && rotulos.has(nome)) ||
    Object.keys(VOCABULARIES).some((nome) => addedCodes(formulario, nome).length > 0)
  )
}
