import {
  CAMPOS,
  type Campo,
  type CampoValue,
  type FieldName,
  isSecret,
} from '../../../../src/domain/casos/campos.ts'
import type { RegrasDoAgravo } from '../../../../src/domain/casos/regras.ts'
import { type Problem, problem } from '../../../../src/errors/catalogue.ts'
import { agravos, isConhecido } from '../../state/agravos.ts'
import { holdsIn } from '../../state/condicoes.ts'
import { valorWords } from '../../state/filter-words.ts'
import {
  addedCodes,
  type CampoDoFormulario,
  camposIn,
  codigosIn,
  type FormularioDoAgravo,
  formularioOf,
  hasAdditions,
  rotulosIn,
} from '../../state/formularios.ts'
import { cache } from '../../state/session.ts'
import type { Texts } from '../../state/text-types.ts'
import type { Ficha, Section, Values } from './ficha.ts'

/** Form of a disease by its definition; the known one where that adds nothing to it. */
export async function readFicha(codigo: string, conhecida: Ficha): Promise<Ficha> {
  const { queryKey, queryFn, staleTime } = formularioOf(codigo)
  const formulario = await cache.fetchQuery({ queryKey, queryFn, staleTime })
  if (!isConhecido(codigo)) return fichaOf(formulario, conhecida)
  return hasAdditions(formulario) ? extendedBy(formulario, conhecida) : conhecida
}

/** Form of a disease from its definition; standard fields as on the form of the known ones (those of dengue included), own ones as it says. */
function fichaOf(formulario: FormularioDoAgravo, known: Ficha): Ficha {
  const asked = (campo: CampoDoFormulario) =>
    campo.ativo && (known.fields.includes(campo.nome as FieldName) || !Object.hasOwn(CAMPOS, campo.nome))
  const campos = new Map(
    camposIn(formulario)
      .filter(asked)
      .map((campo) => [campo.nome as FieldName, campo]),
  )
  const of = (nome: FieldName) => campos.get(nome) as CampoDoFormulario
  const sections = sectionsOf(formulario, campos)
  const isOwn = (nome: FieldName) => campos.has(nome) && !Object.hasOwn(CAMPOS, nome)
  const kinds = new Map([...campos].map(([nome, campo]) => [nome, kindOf(campo)]))
  const optionOf = (nome: FieldName, value: string) =>
    campos.get(nome)?.opcoes.find(({ codigo }) => codigo === value)
  const applies = (nome: FieldName, values: Values) => {
    if (!isOwn(nome)) return isPlain(nome) || known.applies(nome, { ...values, tipo_agravo: 'dengue' })
    const { mostrar_quando } = of(nome)
    return mostrar_quando === null || holdsIn(mostrar_quando, values)
  }
  return {
    codigo: formulario.codigo,
    sections,
    fields: sections.flatMap(({ groups }) => groups.flatMap(({ fields }) => fields)),
    campoOf: (nome) => kinds.get(nome) ?? CAMPOS[nome],
    labelOf: (nome, t) => labelOf(nome, campos.get(nome), t),
    wordOf: (nome, value, t) =>
      (isOwn(nome) ? optionOf(nome, value)?.rotulo : undefined) ?? valorWords(value, t),
    noteOf: (nome) => campos.get(nome)?.ajuda ?? undefined,
    optionsOf: (nome, _tipo, chosen) =>
      nome === 'tipo_agravo'
        ? agravos()
        : of(nome)
            .opcoes.filter(({ codigo, ativo }) => ativo || codigo === chosen)
            .map(({ codigo }) => codigo),
    paperCode: () => null,
    applies,
    isRequired(nome, values) {
      const campo = campos.get(nome)
      if (campo === undefined || !applies(nome, values)) return false
      const { obrigatorio, obrigatorio_quando } = campo
      return obrigatorio || (obrigatorio_quando !== null && holdsIn(obrigatorio_quando, values))
    },
    isMunicipio: (nome) => known.isMunicipio(nome) || (isOwn(nome) && of(nome).tipo === 'municipio'),
    isSecret: (nome) => (isOwn(nome) ? of(nome).sigiloso : isSecret(nome)),
    isOwn,
    check: (values, today) => [...campos.values()].flatMap((campo) => datesOf(campo, values, today)),
    regras: { rulesOf: () => rulesOf(formulario) },
  }
}

/**
 * Form of a known disease with what its definition adds: fields, before the laboratory as on forms of other diseases, labels, and codes
 * of its choices, which the paper form does not have.
 */
function extendedBy(formulario: FormularioDoAgravo, known: Ficha): Ficha {
  const own = fichaOf(
    { ...formulario, grupos: formulario.grupos.filter(({ bloco }) => bloco === null) },
    known,
  )
  const of = (nome: FieldName) => (own.isOwn(nome) ? own : known)
  const rotulos = rotulosIn(formulario)
  const at = known.sections.findIndex(({ id }) => id === 'laboratorio')
  return {
    ...known,
    codigo: formulario.codigo,
    sections: known.sections.toSpliced(at, 0, ...own.sections),
    fields: [...known.fields, ...own.fields],
    campoOf: (nome) => of(nome).campoOf(nome),
    labelOf: (nome, t) => rotulos.get(nome) ?? of(nome).labelOf(nome, t),
    wordOf: (nome, value, t) => of(nome).wordOf(nome, value, t),
    noteOf: (nome) => of(nome).noteOf(nome),
    optionsOf: (nome, tipo, chosen) => [
      ...of(nome).optionsOf(nome, tipo, chosen),
      ...addedCodes(formulario, nome),
    ],
    paperCode: (nome, value, tipo) =>
      addedCodes(formulario, nome).includes(value) ? null : of(nome).paperCode(nome, value, tipo),
    applies: (nome, values) => of(nome).applies(nome, values),
    isRequired: (nome, values) => of(nome).isRequired(nome, values),
    isMunicipio: (nome) => of(nome).isMunicipio(nome),
    isSecret: (nome) => of(nome).isSecret(nome),
    isOwn: own.isOwn,
    check: own.check,
  }
}

/** Headings in the order of the form; two of one name are one, the block's fields first. */
function sectionsOf({ grupos }: FormularioDoAgravo, campos: ReadonlyMap<FieldName, unknown>): Section[] {
  const found = new Map<string, FieldName[]>()
  const blocks = new Set(grupos.filter(({ bloco }) => bloco !== null).map(({ rotulo }) => rotulo))
  const put = (rotulo: string, names: string[]) =>
    found.set(rotulo, [
      ...(found.get(rotulo) ?? []),
      ...(names as FieldName[]).filter((nome) => campos.has(nome)),
    ])
  for (const { bloco, rotulo, campos: list } of grupos) {
    if (bloco === null && blocks.has(rotulo)) continue
    put(
      rotulo,
      list.map(({ nome }) => nome),
    )
    for (const own of bloco === null ? [] : grupos)
      if (own.bloco === null && own.rotulo === rotulo)
        put(
          rotulo,
          own.campos.map(({ nome }) => nome),
        )
  }
  return [...found]
    .filter(([, fields]) => fields.length > 0)
    .map(([title, fields], at) => ({ id: `grupo-${at + 1}`, title, groups: [{ fields }] }))
}

/** Kind of a field as the controls know it; standard ones keep theirs, with the codes that the disease allows. */
function kindOf({ nome, tipo, opcoes, minimo, maximo, max }: CampoDoFormulario): Campo {
  const standard = Object.hasOwn(CAMPOS, nome) ? (CAMPOS[nome as FieldName] as Campo) : undefined
  const values = opcoes.map(({ codigo }) => codigo)
  if (standard !== undefined) return standard.kind === 'one-of' ? { ...standard, values } : standard
  return { place: 'dados', ...ownKind() } as Campo

  function ownKind() {
    switch (tipo) {
      case 'bool':
        return { kind: 'boolean' }
      case 'opcao':
        return { kind: 'one-of', values }
      case 'opcoes':
        return { kind: 'list-of', values: opcoes.filter(({ ativo }) => ativo).map(({ codigo }) => codigo) }
      case 'inteiro':
      case 'municipio':
        return { kind: 'integer', min: minimo ?? 0, max: maximo ?? Number.MAX_SAFE_INTEGER }
      case 'numero':
        return { kind: 'number', min: minimo, max: maximo }
      case 'data':
        return { kind: 'date' }
      default:
        return { kind: 'text', max }
    }
  }
}

/** Word of the definition where it has one, else the console's in the language of the page. */
function labelOf(nome: FieldName, campo: CampoDoFormulario | undefined, t: Texts): string {
  return campo?.renomeado ? campo.rotulo : t.campos[nome]
}

/** Asked of every case, though the form of the known diseases asks for them of some: signs of alarm have no date without one, say. */
const isPlain = (nome: FieldName) => /apresentacao_clinica|sinais_/.test(nome)

const asDate = (value: CampoValue | undefined) => (typeof value === 'string' ? value : null)

/** Order of the dates of own fields; no date is in the future. */
function datesOf(
  { nome, tipo, depois_de, antes_de }: CampoDoFormulario,
  values: Values,
  today: string,
): Problem[] {
  if (tipo !== 'data' || Object.hasOwn(CAMPOS, nome)) return []
  const date = asDate(values[nome as FieldName])
  if (date === null) return []
  const path = nome.split('.')
  if (date > today) return [problem('body', path, 'IN_FUTURE', {})]
  const other = (name: string | null) => asDate(values[name as FieldName])
  const [earliest, latest] = [other(depois_de), other(antes_de)]
  if (depois_de !== null && earliest !== null && date < earliest)
    return [problem('body', path, 'BEFORE', { field: depois_de })]
  if (antes_de !== null && latest !== null && date > latest)
    return [problem('body', path, 'AFTER', { field: antes_de })]
  return []
}

const CODED = ['classificacao_final', 'criterio_confirmacao', 'evolucao'] as const

/** Codes that it allows. What an outcome decides, only the service knows. */
const rulesOf = (formulario: FormularioDoAgravo): RegrasDoAgravo => ({
  versao: 1,
  criterios: new Set(codigosIn(formulario, 'criterio_confirmacao')),
  classificacaoPadrao: null,
  classify() {},
  check({ campos }, refuse) {
    for (const nome of CODED)
      if (campos[nome] !== null && !codigosIn(formulario, nome)?.includes(campos[nome]))
        refuse(nome, 'INCONSISTENT', { field: 'tipo_agravo' })
  },
})
