import { totpOf } from '../src/domain/sessoes/second-factor.ts'
import { MASTER_KEY, PASSWORD } from '../test/harness/app.ts'
import { casoPlantado, PLANTADOS } from '../test/planted.ts'
import type { Schema } from './document.ts'
import type { Memory } from './memory.ts'
import type { Random } from './random.ts'
import type { Hint } from './values.ts'

/** New password in every change of password. */
const NEW_PASSWORD = 'Nova#Senha26'
/** Days in the order that the rules between fields demand. */
const DAYS: Record<string, string> = {
  data_inicio_sintomas: '2026-03-08',
  data_notificacao: '2026-03-12',
  data_sinais_alarme: '2026-03-12',
  data_internacao: '2026-03-13',
  data_investigacao: '2026-03-14',
  data_obito: '2026-03-20',
  data_encerramento: '2026-04-02',
}
const FILTERS: Record<string, unknown>[] = [
  {},
  { estado: 'PE' },
  { ativo: true },
  { 'idade[gte]': 60 },
  { 'id[in]': '1,2,3' },
  { and: [{ campo: 'nome', operador: 'like', valor: 'a' }] },
  {
    or: [
      { campo: 'ativo', operador: 'eq', valor: true },
      { campo: 'id', operador: 'in', valor: [1, 2] },
    ],
  },
  { campo: 'nome', operador: 'xx', valor: { a: [1] } },
  { __defineGetter__: 1, toString: 'x' },
]
const SEARCHES = [
  'recife',
  '{"and":[{"id":{"gte":1}}]}',
  '{"or":[{"nome":"a"},{"titulo":{"like":"%"}}]}',
  '{"and":[{"or":[{"and":[{"or":[{"and":[{"or":[]}]}]}]}]}]}',
  '{"id":{"in":[1,2,3]}}',
  '{"id":',
  '[]',
]

/** Homes of patients. */
const LUGARES = [
  ['Recife', 'PE'],
  ['Caruaru', 'PE'],
  ['São Paulo', 'SP'],
  ['Manaus', 'AM'],
] as const

/** Meaning of fields that their schema does not express. Patients are the planted ones, so that every leak is seen. */
export function createHints(memory: Memory, random: Random, receiverUrl: string): Hint {
  let made = 0
  const unique = () => `${++made}x${random.integer(1, 1e9)}`
  const idOf = (kind: string) => Number(memory.any(kind)?.id ?? 1)
  const idsOf = (kind: string) => Array.from({ length: random.integer(0, 3) }, () => idOf(kind))
  const knownEmail = () => memory.recall('email') ?? 'ninguem@teste.local'
  const password = () => (random.chance(0.85) ? PASSWORD : NEW_PASSWORD)
  const code = () => {
    const backup = memory.recall('backup_codes')
    if (backup !== undefined && random.chance(0.4)) return backup
    const secret = memory.recall('secret')
    return secret === undefined ? '123456' : totpOf(secret).generate()
  }
  /** Of the catalogue, or one of the run's own. */
  const serieIn = (schema: Schema) =>
    schema['x-format'] === 'serie'
      ? random.pick(['temp_min', 'liraa_iip', 'casos_fuzz', `s_${unique()}`])
      : undefined
  const patient = casoPlantado()
  let lugar: readonly [municipio: string, estado: string] = LUGARES[0]
  const anyLugar = () => {
    lugar = random.chance(0.5) ? LUGARES[0] : random.pick(LUGARES)
    return lugar
  }

  const BY_NAME: Record<string, (schema: Schema) => unknown> = {
    email: () => (random.chance(0.5) ? `fuzz${unique()}@teste.local` : knownEmail()),
    username: knownEmail,
    password,
    senha: password,
    senha_atual: password,
    senha_nova: () => NEW_PASSWORD,
    confirmar_senha: () => NEW_PASSWORD,
    nova_senha: password,
    master_key: () => MASTER_KEY,
    mfa_code: code,
    code,
    token: () => memory.recall('token'),
    refresh_token: () => memory.recall('refresh_token'),
    grant_type: () => 'password',
    cpf: () => random.pick(['529.982.247-25', '11144477735', null]),
    codigo: serieIn,
    serie: serieIn,
    com: serieIn,
    series: () => random.pick(['temp_min', 'temp_min,liraa_iip', 'chuva,nada', ',']),
    suspeita: () => random.pick(['febre_amarela', 'raiva', 'outra', 'nenhuma_destas']),
    campo: (schema) => (schema.enum ? random.pick(['suspeita', 'especie']) : undefined),
    campos: (schema) =>
      schema.type === 'string'
        ? random.pick(['id', 'paciente,endereco.bairro', 'classificacao,evolucao', 'status,nada'])
        : undefined,
    numero: () => `f${unique()}`,
    data_ocorrencia: () => random.pick(['2025-03-10', '2024-02-29', null]),
    defasagens: () => random.pick(['temp_min:8', 'chuva:99', 'x']),
    nome: (schema) => (schema['x-format'] === 'group-name' ? `grupo-${unique()}` : undefined),
    permissoes: (schema) => (schema.items?.type === 'integer' ? idsOf('permissoes') : undefined),
    permissoes_ids: () => idsOf('permissoes'),
    grupos_ids: () => idsOf('grupos'),
    transferir_para: () => idOf('usuarios'),
    transferir_usuarios: () => idOf('grupos'),
    motivo: () => 'engano',
    url: (schema) =>
      schema['x-format'] === 'http-url' ? undefined : `${receiverUrl}/${random.integer(0, 9)}`,
    desde: (schema) => (schema.format ? new Date(Date.now() - 3_600_000).toISOString() : undefined),
    em: () => new Date().toISOString(),
    filtros: (schema) => (schema.properties ? undefined : random.pick(FILTERS)),
    search: () => random.pick(SEARCHES),
    bounds: () => random.pick(['-36,-9,-34,-7', '-180,-90,180,90', '1,2,3', 'a,b,c,d']),
    include: () => random.pick(['historico,anexos', 'grupos', 'permissoes,sessoes', 'investigacao', 'nada']),
    cursor: () => memory.recall('proximo_cursor'),
    numero_notificacao: () => `F-${unique()}`,
    municipio_residencia: () => anyLugar()[0],
    // Of the municipality, which stands before it wherever both are required.
    estado_residencia: () => lugar[1],
    municipio_notificacao: () => random.pick([2_611_606, 1_200_401, 2_927_408]),
    paciente_nome: () => patient.paciente_nome,
    paciente_data_nascimento: () => patient.paciente_data_nascimento,
    paciente_idade: () => undefined,
    logradouro_residencia: () => patient.logradouro_residencia,
    numero_residencia: () => patient.numero_residencia,
    cep_residencia: () => PLANTADOS.cep,
    latitude: () => patient.latitude,
    longitude: () => patient.longitude,
    locais_frequentados: () => (patient.investigacao as Record<string, unknown>).locais_frequentados,
  }

  return (name, schema) => {
    const day = DAYS[name]
    if (day !== undefined && schema.format === 'date') return day
    return Object.hasOwn(BY_NAME, name) ? BY_NAME[name]?.(schema) : undefined
  }
}
