import type { Municipio, Municipios } from '../../../brasil/municipios.ts'
import { type Problem, problem } from '../../../errors/catalogue.ts'
import { DEFAULT_LANGUAGE, problemText } from '../../../errors/texts.ts'
import {
  CAMPOS,
  type Campo,
  type Campos,
  EXIGIDOS_AO_CRIAR,
  leafOf,
  NOMES,
  type NomeDeCampo,
  VAZIO,
  type Valor,
} from '../../casos/campos.ts'
import { type Entrada, fromEntrada, spelt } from '../../casos/input.ts'
import { settle } from '../../casos/regras.ts'
import { type Achada, datedIn, hasMoreThan } from './header.ts'
import { type LerCampo, lerCampoOf } from './inputs.ts'
import type { Aviso, ContextoDeLayout, Convertida, Layout } from './layout.ts'

/** Our own layout: the flat names of a case's fields as columns, and the rules of a created case. */

/** Second places of some fields in the interface. */
const OUTROS: Record<string, NomeDeCampo> = {
  ...Object.fromEntries(
    ['febre', 'mialgia', 'cefaleia', 'exantema', 'nausea', 'dor_retro_orbital', 'artralgia'].map((sinal) => [
      `dados_clinicos.sinais_sintomas.${sinal}`,
      `dados_especificos.${sinal}` as NomeDeCampo,
    ]),
  ),
  'dados_clinicos.sinais_alarme': 'dados_especificos.sinais_alarme',
  'dados_clinicos.hospitalizacao': 'hospitalizacao',
  'dados_clinicos.data_internacao': 'data_internacao',
  'dados_clinicos.uti': 'uti',
}

/** `nome` alone would be read as the patient's. */
const AMBIGUAS = new Set(['nome', 'telefone', 'responsavel'])

/** Any spelling of a column → its field. The last part of a name is enough where no other field ends in it. */
const CAMPO_DE: ReadonlyMap<string, NomeDeCampo> = new Map([
  ...NOMES.filter((nome) => {
    const leaf = leafOf(nome)
    return !AMBIGUAS.has(leaf) && NOMES.filter((other) => leafOf(other) === leaf).length === 1
  }).map((nome) => [leafOf(nome), nome] as const),
  ...Object.entries(OUTROS),
  ...NOMES.map((nome) => [nome, nome] as const),
])

export const ownFieldOf = (coluna: string): NomeDeCampo | undefined => CAMPO_DE.get(coluna)

export function proprioLayout(
  achadas: ReadonlyMap<NomeDeCampo, Achada>,
  avisos: Aviso[],
  largura: number,
  contexto: ContextoDeLayout,
): Layout {
  const told = new Set(achadas.keys())
  if (told.has('municipio_infeccao')) told.add('estado_infeccao')
  return {
    nome: 'proprio',
    presentes: NOMES.filter((nome) => told.has(nome)),
    avisos,
    couldBeCase: datedIn(achadas.get('data_notificacao') as Achada),
    converter: createConverter(achadas, largura, contexto),
  }
}

function createConverter(
  achadas: ReadonlyMap<NomeDeCampo, Achada>,
  largura: number,
  contexto: ContextoDeLayout,
): (valores: string[]) => Convertida {
  const passos = [...achadas].map(([nome, { indice }]) => passoOf(nome, indice))
  const municipios = remembering(contexto.municipios)
  const numero = achadas.get('numero_notificacao')?.indice ?? -1
  const tipoAgravo = achadas.has('tipo_agravo') ? null : contexto.tipoAgravo

  return (valores) => {
    const refuse = (erro: string): Convertida => ({
      ok: false,
      erro,
      numero_notificacao: valores.length === largura ? reported(valores[numero] ?? '') : null,
    })
    if (valores.length > largura && hasMoreThan(valores, largura))
      return refuse(`Linha com ${valores.length} valores; o cabeçalho tem ${largura} colunas`)
    const { campos, lugares, problems } = readRow(passos, valores)
    if (tipoAgravo !== null) campos.tipo_agravo = tipoAgravo
    checkRequired(campos, lugares, problems)
    const found = fromEntrada(lugares, null, municipios)
    problems.push(...found.problems)
    const caso = Object.assign(campos, found.campos) as Campos
    const { status, paciente_idade, criterio_confirmacao, data_encerramento } = caso
    const sent = { status, paciente_idade, criterio_confirmacao, data_encerramento }
    const ruled = settle(caso, sent, contexto.today, municipios)
    if (problems.length + ruled.length > 0) return refuse(textOf(problems, ruled))
    return { ok: true, campos: caso, avisos: shortOf(valores, largura), numeroDerivado: false }
  }
}

/** A row out of step has any other text in this place, perhaps a name, which does not belong into a report. */
const reported = (numero: string): string | null =>
  numero.length <= 40 && /\d/.test(numero) && !/\s/.test(numero) ? numero : null

/** What is known of a column before its first value. */
interface Passo {
  nome: NomeDeCampo
  indice: number
  campo: Campo
  lugar: Lugar | null
  ler: LerCampo
}

const passoOf = (nome: NomeDeCampo, indice: number): Passo => ({
  nome,
  indice,
  campo: CAMPOS[nome],
  lugar: isLugar(nome) ? nome : null,
  ler: lerCampoOf(nome),
})

/** What a row holds; places apart, since a municipality is told by code or name and says its state. */
interface Lida {
  campos: Record<NomeDeCampo, Valor>
  lugares: Pick<Entrada, Lugar>
  problems: Problem[]
}
type Lugar = (typeof LUGARES)[number]
const LUGARES = [
  'municipio_residencia',
  'estado_residencia',
  'municipio_infeccao',
  'estado_infeccao',
] as const
const isLugar = (nome: NomeDeCampo): nome is Lugar => (LUGARES as readonly string[]).includes(nome)

function readRow(passos: Passo[], valores: string[]): Lida {
  const campos: Lida['campos'] = { ...VAZIO }
  const lugares: Partial<Record<Lugar, unknown>> = {}
  const problems: Problem[] = []
  for (const { nome, indice, campo, lugar, ler } of passos) {
    const texto = valores[indice] ?? ''
    if (texto === '') continue
    const lido = ler(texto)
    if ('problem' in lido) problems.push(lido.problem)
    else if (lugar !== null) lugares[lugar] = lido.value
    else campos[nome] = spelt(campo, lido.value as Valor)
  }
  return { campos, lugares: lugares as Lida['lugares'], problems }
}

function checkRequired(campos: Lida['campos'], lugares: Lida['lugares'], problems: Problem[]): void {
  for (const nome of EXIGIDOS_AO_CRIAR) {
    const isThere = isLugar(nome) ? (lugares[nome] ?? '').trim() !== '' : campos[nome] !== null
    if (!isThere && !problems.some(({ path }) => path[0] === nome))
      problems.push(problem('body', [nome], 'REQUIRED', {}))
  }
}

/** Every problem of a row; of the rules, only those about fields that had none before. */
function textOf(first: Problem[], ruled: Problem[]): string {
  const nameOf = ({ path }: Problem) => path.join('.')
  const told = new Set(first.map(nameOf))
  return [...first, ...ruled.filter((one) => !told.has(nameOf(one)))]
    .map((one) => `${nameOf(one)}: ${problemText(one, DEFAULT_LANGUAGE)}`)
    .join('; ')
}

const shortOf = (valores: string[], largura: number): Aviso[] =>
  valores.length >= largura
    ? []
    : [
        {
          coluna: null,
          mensagem: `Linha com ${valores.length} valores; o cabeçalho tem ${largura} colunas: as últimas ficam vazias`,
        },
      ]

const MAX_REMEMBERED = 20_000

/** Looking a name up means folding it; a file names the same few places again and again. */
function remembering(municipios: Municipios): Municipios {
  const byNome = new Map<string, Municipio | null>()
  return {
    ...municipios,
    byNome(nome, uf) {
      const key = `${uf}${nome}`
      let found = byNome.get(key)
      if (found === undefined) {
        found = municipios.byNome(nome, uf)
        if (byNome.size < MAX_REMEMBERED) byNome.set(key, found)
      }
      return found
    },
  }
}
