import { type Problem, problem } from '../../../errors/catalogue.ts'
import { canonicalJson } from '../../canonical.ts'
import { padraoOf } from './blocos.ts'
import {
  type CampoDaDefinicao,
  type CampoProprio,
  type Definicao,
  isProprio,
  type Opcao,
} from './definicao.ts'

/** Versions of a definition: what a new one may not do to an earlier one, and what it changes. */

const LISTAS_DE_CODIGOS = ['classificacoes', 'criterios', 'evolucoes'] as const

type Path = Problem['path']
const fixed = (...path: Path) => problem('body', path, 'NOT_EDITABLE', {})

/** Fields and options stay and keep their kind; those of a protected disease keep all that files and cases rely on. */
export function refusalsOf(
  anterior: Definicao,
  nova: Definicao,
  { protegido }: { protegido: boolean },
): Problem[] {
  return [
    ...(anterior.codigo === nova.codigo ? [] : [fixed('codigo')]),
    ...refusedFields(anterior, nova),
    ...(protegido ? shrunk(anterior, nova) : []),
  ]
}

/** Paths of what is left out end in its name, since the new version has no place for it. */
function refusedFields(anterior: Definicao, nova: Definicao): Problem[] {
  const places = new Map(
    nova.campos.flatMap((campo, i) => (isProprio(campo) ? [[campo.nome, { campo, i }] as const] : [])),
  )
  return anterior.campos.filter(isProprio).flatMap((before) => {
    const place = places.get(before.nome)
    if (place === undefined) return [fixed('campos', before.nome)]
    const { campo, i } = place
    const codigos = new Set(campo.opcoes.map(({ codigo }) => codigo))
    return [
      ...(campo.tipo === before.tipo ? [] : [fixed('campos', i, 'tipo')]),
      ...(campo.sigiloso === before.sigiloso ? [] : [fixed('campos', i, 'sigiloso')]),
      ...before.opcoes
        .filter(({ codigo }) => !codigos.has(codigo))
        .map(({ codigo }) => fixed('campos', i, 'opcoes', codigo)),
    ]
  })
}

const lacks = (before: readonly string[], after: readonly string[]) => {
  const present = new Set(after)
  return before.some((one) => !present.has(one))
}

function shrunk(anterior: Definicao, nova: Definicao): Problem[] {
  const lists: [Path, readonly string[], readonly string[]][] = [
    [['cid10_codes'], anterior.cid10_codes, nova.cid10_codes],
    [['sinan', 'agravos'], anterior.sinan.agravos, nova.sinan.agravos],
    [['sinan', 'prefixos'], anterior.sinan.prefixos, nova.sinan.prefixos],
    [['blocos'], [...anterior.blocos, ...padraoOf(anterior)], [...nova.blocos, ...padraoOf(nova)]],
    ...LISTAS_DE_CODIGOS.flatMap((lista) => codesAndSinan(lista, anterior, nova)),
  ]
  return lists.filter(([, before, after]) => lacks(before, after)).map(([path]) => fixed(...path))
}

/** Codes of a vocabulary, and for each that stays the codes of SINAN. */
function codesAndSinan(
  lista: (typeof LISTAS_DE_CODIGOS)[number],
  anterior: Definicao,
  nova: Definicao,
): [Path, readonly string[], readonly string[]][] {
  const earlier = new Map(anterior[lista].map(({ codigo, sinan }) => [codigo, sinan]))
  return [
    [[lista], [...earlier.keys()], nova[lista].map(({ codigo }) => codigo)],
    ...nova[lista].map(({ codigo, sinan }, i): [Path, readonly string[], readonly string[]] => [
      [lista, i, 'sinan'],
      earlier.get(codigo) ?? [],
      sinan,
    ]),
  ]
}

/** Texts that became shorter; refused only where a stored text is longer. */
export function menoresMax(anterior: Definicao, nova: Definicao): { nome: string; max: number }[] {
  const earlier = propriosOf(anterior)
  return nova.campos.filter(isProprio).flatMap(({ nome, max }) => {
    const before = earlier.get(nome)?.max
    return max !== undefined && before !== undefined && max < before ? [{ nome, max }] : []
  })
}

const propriosOf = (definicao: Definicao | null) =>
  new Map((definicao?.campos ?? []).filter(isProprio).map((campo) => [campo.nome, campo]))

export interface OpcoesDoCampo {
  campo: string
  opcoes: string[]
}

export interface MudancasDaDefinicao {
  campos_novos: string[]
  campos_retirados: string[]
  campos_reativados: string[]
  opcoes_novas: OpcoesDoCampo[]
  opcoes_retiradas: OpcoesDoCampo[]
  opcoes_reativadas: OpcoesDoCampo[]
  /** Labels, helps, headings and other texts, by their path; fields and options by name. */
  textos: string[]
  /** Other changes of a field: conditions, ranges, columns of files. */
  campos_alterados: { campo: string; chaves: string[] }[]
  /** Other keys of the definition; `campos` for their order, or for the standard ones. */
  outras: string[]
}

const TEXTOS = ['nome', 'descricao', 'fonte'] as const satisfies (keyof Definicao)[]
const TEXTOS_DO_CAMPO = ['rotulo', 'rotulo_en', 'rotulo_es', 'ajuda', 'grupo'] as const
/** Told by name, or with the options. */
const TOLD: readonly string[] = [...TEXTOS_DO_CAMPO, 'nome', 'ativo', 'opcoes']

const differ = (one: unknown, other: unknown) => canonicalJson(one ?? null) !== canonicalJson(other ?? null)

/** From one version to the next; a first version only adds. */
export function mudancasEntre(anterior: Definicao | null, nova: Definicao): MudancasDaDefinicao {
  const [before, after] = [propriosOf(anterior), propriosOf(nova)]
  const kept = [...after.values()].flatMap((campo) => {
    const earlier = before.get(campo.nome)
    return earlier === undefined ? [] : [{ campo, earlier }]
  })
  const turned = (ativo: boolean) =>
    kept.filter(({ campo, earlier }) => campo.ativo === ativo && earlier.ativo !== ativo)
  const left = [...before.keys()].filter((nome) => !after.has(nome))
  return {
    campos_novos: [...after.keys()].filter((nome) => !before.has(nome)),
    campos_retirados: [...turned(false).map(({ campo }) => campo.nome), ...left],
    campos_reativados: turned(true).map(({ campo }) => campo.nome),
    opcoes_novas: optionsWhere(kept, (opcao, earlier) => opcao !== undefined && earlier === undefined),
    opcoes_retiradas: optionsWhere(
      kept,
      (opcao, earlier) => earlier?.ativo === true && opcao?.ativo !== true,
    ),
    opcoes_reativadas: optionsWhere(
      kept,
      (opcao, earlier) => earlier?.ativo === false && opcao?.ativo === true,
    ),
    textos: anterior === null ? [] : changedTexts(anterior, nova, kept),
    campos_alterados: kept.flatMap(({ campo, earlier }) => {
      const chaves = changedKeys(earlier, campo)
      return chaves.length === 0 ? [] : [{ campo: campo.nome, chaves }]
    }),
    outras: anterior === null ? [] : otherKeys(anterior, nova),
  }
}

interface Par {
  campo: CampoProprio
  earlier: CampoProprio
}

function optionsWhere(
  kept: readonly Par[],
  is: (opcao: Opcao | undefined, earlier: Opcao | undefined) => boolean,
): OpcoesDoCampo[] {
  return kept.flatMap(({ campo, earlier }) => {
    const [now, then] = [optionsOf(campo), optionsOf(earlier)]
    const opcoes = [...new Set([...now.keys(), ...then.keys()])].filter((codigo) =>
      is(now.get(codigo), then.get(codigo)),
    )
    return opcoes.length === 0 ? [] : [{ campo: campo.nome, opcoes }]
  })
}

const optionsOf = ({ opcoes }: CampoProprio) => new Map(opcoes.map((opcao) => [opcao.codigo, opcao]))

function changedTexts(anterior: Definicao, nova: Definicao, kept: readonly Par[]): string[] {
  return [
    ...TEXTOS.filter((key) => anterior[key] !== nova[key]),
    ...kept.flatMap(({ campo, earlier }) => {
      const then = optionsOf(earlier)
      return [
        ...TEXTOS_DO_CAMPO.filter((key) => campo[key] !== earlier[key]).map(
          (key) => `campos.${campo.nome}.${key}`,
        ),
        ...campo.opcoes
          .filter(({ codigo, rotulo }) => rotulo !== (then.get(codigo)?.rotulo ?? rotulo))
          .map(({ codigo }) => `campos.${campo.nome}.opcoes.${codigo}.rotulo`),
      ]
    }),
  ]
}

/** Keys of a field that changed, but for its texts and options; `opcoes` where their order or codes of SINAN did. */
function changedKeys(earlier: CampoProprio, campo: CampoProprio): string[] {
  const keys = new Set([...Object.keys(earlier), ...Object.keys(campo)]) as Set<keyof CampoProprio>
  const changed = [...keys].filter((key) => !TOLD.includes(key) && differ(earlier[key], campo[key]))
  const now = optionsOf(campo)
  const staying = (opcoes: readonly Opcao[]) =>
    opcoes.filter(({ codigo }) => now.has(codigo)).map(({ codigo, sinan }) => [codigo, sinan])
  const then = optionsOf(earlier)
  const common = campo.opcoes.filter(({ codigo }) => then.has(codigo))
  return differ(staying(earlier.opcoes), staying(common)) ? [...changed, 'opcoes'] : changed
}

function otherKeys(anterior: Definicao, nova: Definicao): string[] {
  const texts: readonly string[] = TEXTOS
  const keys = new Set([...Object.keys(anterior), ...Object.keys(nova)]) as Set<keyof Definicao>
  const [then, now] = [propriosOf(anterior), propriosOf(nova)]
  const order = (campos: readonly CampoDaDefinicao[]) =>
    campos
      .filter((campo) => !isProprio(campo) || (then.has(campo.nome) && now.has(campo.nome)))
      .map((campo) => (isProprio(campo) ? campo.nome : campo))
  return [...keys].filter((key) =>
    key === 'campos'
      ? differ(order(anterior.campos), order(nova.campos))
      : !texts.includes(key) && differ(anterior[key], nova[key]),
  )
}
