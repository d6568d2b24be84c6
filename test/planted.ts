// What tells who a patient is, in words that occur nowhere else, and the search for them in any bytes.
import type { Part } from './harness/multipart.ts'

export const PLANTADOS = {
  nome: 'Iraçuí',
  sobrenome: 'Tabajarênsio',
  'nome novo': 'Ubirajarína',
  logradouro: 'Jacarandaçu',
  numero: '48213-Bgh',
  cep: '64917385',
  'cep com hífen': '64917-385',
  latitude: '8.0471953',
  longitude: '34.8779415',
  'latitude nova': '8.0613927',
  nascimento: '1957-08-23',
  'nascimento novo': '1961-11-29',
  local: 'Bacurizópolis',
  'endereço do local': 'Umbuzeirinha',
  período: 'quinzenalmentíssima',
  motivo: 'Ermengárdia',
  descrição: 'Hemogramático',
  'nome do arquivo': 'Anhangabuçuense',
  conteúdo: 'Pindamonhangüera',
  recusado: 'Recusadíssima',
  chave: 'Aracajuina-chave',
  'texto próprio': 'Quixeramobinça',
  observação: 'Paranapiacabense',
} as const

/** Stored openly: what a search that works must find. */
export const BAIRRO = 'Jurubatubense do Meio'

export const NOME = `${PLANTADOS.nome} da ${PLANTADOS.sobrenome}`

let numero = 0
export function casoPlantado(): Record<string, unknown> {
  return {
    tipo_agravo: 'dengue',
    numero_notificacao: `PLT-${++numero}`,
    data_notificacao: '2026-03-12',
    data_inicio_sintomas: '2026-03-08',
    paciente_nome: NOME,
    paciente_data_nascimento: PLANTADOS.nascimento,
    paciente_sexo: 'F',
    municipio_residencia: 'Recife',
    estado_residencia: 'PE',
    bairro_residencia: BAIRRO,
    logradouro_residencia: `Rua ${PLANTADOS.logradouro} Velho`,
    numero_residencia: PLANTADOS.numero,
    cep_residencia: PLANTADOS.cep,
    latitude: -Number(PLANTADOS.latitude),
    longitude: -Number(PLANTADOS.longitude),
    investigacao: {
      locais_frequentados: [
        {
          local: `Feira de ${PLANTADOS.local}`,
          endereco: `Travessa ${PLANTADOS['endereço do local']}, 9`,
          periodo: PLANTADOS.período,
        },
      ],
    },
  }
}

export const ALTERACAO = {
  paciente_nome: `${PLANTADOS['nome novo']} ${PLANTADOS.sobrenome}`,
  paciente_data_nascimento: PLANTADOS['nascimento novo'],
  latitude: -Number(PLANTADOS['latitude nova']),
  longitude: -Number(PLANTADOS.longitude),
  classificacao_final: 'dengue_grave',
}

export const MOTIVO = `duplicado da ficha de ${PLANTADOS.motivo}`

export const PDF = Buffer.from(`%PDF-1.7\n${PLANTADOS.conteúdo}, e mais nada\n%%EOF\n`)

export const anexoPlantado = (): Part[] => [
  { field: 'tipo', content: 'exame' },
  { field: 'descricao', content: `${PLANTADOS.descrição} de ${PLANTADOS.nome}` },
  {
    field: 'arquivo',
    content: PDF,
    filename: `laudo-${PLANTADOS['nome do arquivo']}.pdf`,
    type: 'application/pdf',
  },
]

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')
const bytes = (text: string) => Buffer.from(text).toString('latin1')
const escaped = (text: string) =>
  text.replaceAll(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** In base64, what surrounds a text changes its first and last signs, and where it begins all of them. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const [all, skipped] = [Buffer.from('\0'.repeat(before) + text), before === 0 ? 0 : before + 1]
    const whole = all.toString('base64').replaceAll('=', '')
    return whole.slice(skipped, Math.floor((all.length * 8) / 6))
  })
}

/** How a value may look in the bytes of an answer or a file, all in small letters. */
function formsOf(value: string): string[] {
  const cased = [value, value.toLowerCase(), value.toUpperCase()]
  const forms = [...cased, ...cased.map((form) => form.normalize('NFD')), ...cased.map(plain)]
  const coded = [value, plain(value)].flatMap((form) => [
    encodeURIComponent(form),
    escaped(form),
    Buffer.from(form).toString('hex'),
    ...inBase64(form).flatMap((code) => [code, code.replaceAll('+', '-').replaceAll('/', '_')]),
  ])
  // One byte for each letter, as old files have it.
  return [...new Set([...forms.map(bytes), value, ...coded].map((form) => lower(form)))]
}

/** Letters of ASCII only: on bytes read as latin1, the others are parts of something. */
const lower = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

const FORMS = Object.entries(PLANTADOS).map(([what, value]) => [what, formsOf(value)] as const)
const OPEN = formsOf(BAIRRO)

/** The names of the planted values that these bytes hold. */
export function plantedIn(haystack: Buffer | string): string[] {
  const text = textOf(haystack)
  return FORMS.filter(([, forms]) => forms.some((form) => text.includes(form))).map(([what]) => what)
}

export function holdsBairro(haystack: Buffer | string): boolean {
  const text = textOf(haystack)
  return OPEN.some((form) => text.includes(form))
}

const textOf = (haystack: Buffer | string) =>
  lower((typeof haystack === 'string' ? Buffer.from(haystack) : haystack).toString('latin1'))
