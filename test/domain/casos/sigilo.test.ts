import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Campos, EMPTY_CASE, SECRET_FIELDS } from '../../../src/domain/casos/campos.ts'
import { createChaves, initialsOf, seal, unseal } from '../../../src/domain/casos/sigilo.ts'
import { createCipher } from '../../../src/domain/cipher.ts'

const key = Buffer.alloc(32, 7)
const cipher = createCipher(key)
const chaves = createChaves(key)

const CASO: Campos = {
  ...EMPTY_CASE,
  tipo_agravo: 'dengue',
  numero_notificacao: '123',
  data_notificacao: '2026-03-12',
  status: 'em_investigacao',
  paciente_nome: 'Maria da Silva Santos',
  paciente_data_nascimento: '1990-05-20',
  logradouro_residencia: 'Rua da Aurora',
  numero_residencia: '7b',
  cep_residencia: '50050000',
  latitude: -8.063_149,
  longitude: -34.871_139,
  'investigacao.locais_frequentados': [{ local: 'Mercado', endereco: 'Centro', periodo: null }],
}

describe('the initials of a patient', () => {
  for (const [nome, iniciais] of [
    ['Maria da Silva Santos', 'M. S. S.'],
    ['maria DA silva DOS santos', 'M. S. S.'],
    ['Ana', 'A.'],
    ['  Ana   Lima ', 'A. L.'],
    ['João e Maria', 'J. M.'],
    ['Pedro de Alcântara do Ó', 'P. A. Ó.'],
    ['Érica Ângelo', 'É. Â.'],
    ['joão'.normalize('NFD'), 'J.'],
    ['Conceição Araújo'.normalize('NFD'), 'C. A.'],
    ["Luísa D'Ávila", 'L. D.'],
    ["'Zé' Silva", 'Z. S.'],
    ['Ana-Clara Souza', 'A. C. S.'],
    ['SILVA, José', 'S. J.'],
    ['Ana\tLima\nSouza', 'A. L. S.'],
    ['José 2º', 'J. 2.'],
    ['Иван Петров', 'И. П.'],
    ['李 小龙', '李. 小.'],
    ['RN de Ana', 'R. A.'],
    ['E', 'E.'],
    ['Di', 'D.'],
    ['da', 'D.'],
  ] as const)
    it(`of ${JSON.stringify(nome)} are ${iniciais}`, () => assert.equal(initialsOf(nome), iniciais))

  it('say nothing where there is no letter at all', () => {
    for (const nome of ['???', '—', '😀', "'"]) assert.ok(!/[\p{L}\p{N}]/u.test(initialsOf(nome)), nome)
  })

  it('never hold two letters of one name', () => {
    for (const nome of ['Maria Aparecida', "O'Neill Sant'Ana", 'Zoë Müller', '𝐌aria Łukasz'])
      for (const part of initialsOf(nome).split(' ')) assert.match(part, /^[\p{L}\p{N}]\.$/u)
  })
})

describe('what is sealed', () => {
  it('opens to exactly what was told', () => {
    const { sigilo } = seal(cipher, chaves, CASO)
    const opened = unseal(cipher, { ...CASO, sigilo })
    for (const nome of SECRET_FIELDS) assert.deepEqual(opened[nome], CASO[nome], nome)
  })

  it('shows nothing of the patient, and not the same bytes twice', () => {
    const [one, two] = [seal(cipher, chaves, CASO), seal(cipher, chaves, CASO)]
    assert.ok(one.sigilo && two.sigilo && !one.sigilo.equals(two.sigilo))
    for (const word of ['Maria', 'Silva', '1990', 'Aurora', '50050', '8.06', 'Mercado'])
      assert.ok(!one.sigilo.includes(word), word)
  })

  it('keeps beside it only initials, a place within a kilometre, the part of the town and a key for the postal code', () => {
    const { sigilo: _, cep_chave, duplicado_chave, ...beside } = seal(cipher, chaves, CASO)
    assert.deepEqual(beside, {
      paciente_iniciais: 'M. S. S.',
      cep_setor: '50050',
      latitude_aproximada: -8.06,
      longitude_aproximada: -34.87,
    })
    assert.equal(cep_chave?.length, 16)
    assert.ok(!cep_chave.includes('5005'))
    assert.equal(duplicado_chave, null)
  })

  it('has one key for each postal code, and another under another secret', () => {
    const chave = (cep_residencia: string | null, secret = chaves) =>
      seal(cipher, secret, { ...CASO, cep_residencia }).cep_chave
    assert.deepEqual(chave('50050000'), chave('50050000'))
    assert.notDeepEqual(chave('50050000'), chave('50050001'))
    assert.notDeepEqual(chave('50050000'), chave('50050000', createChaves(Buffer.alloc(32, 8))))
    assert.equal(chave(null), null)
  })

  it('has one key for records that may be of one person, and none where part of it is unknown', () => {
    const known = { ...CASO, paciente_sexo: 'F', municipio_residencia: 2611606 } as const
    const chave = (changed: Partial<Campos>, secret = chaves) =>
      seal(cipher, secret, { ...known, ...changed }).duplicado_chave
    assert.match(String(chave({})), /^-?\d+$/)
    assert.equal(chave({ numero_notificacao: '124', paciente_nome: 'Outra Grafia' }), chave({}))
    for (const other of [
      { tipo_agravo: 'zika' },
      { municipio_residencia: 2607901 },
      { paciente_sexo: 'M' },
      { paciente_data_nascimento: '1990-05-21' },
    ] as Partial<Campos>[])
      assert.notEqual(chave(other), chave({}), JSON.stringify(other))
    assert.notEqual(chave({}, createChaves(Buffer.alloc(32, 8))), chave({}))
    for (const part of ['municipio_residencia', 'paciente_sexo', 'paciente_data_nascimento'])
      assert.equal(chave({ [part]: null }), null, part)
  })

  it('is nothing where nothing is told', () => {
    const empty = {
      ...EMPTY_CASE,
      tipo_agravo: 'zika',
      numero_notificacao: '1',
      data_notificacao: '2026-01-01',
    }
    const sealed = seal(cipher, chaves, empty as Campos)
    assert.deepEqual(Object.values(sealed), [null, null, null, null, null, null, null])
    const opened = unseal(cipher, { ...(empty as Campos), sigilo: null })
    for (const nome of SECRET_FIELDS) assert.equal(opened[nome], null)
  })

  for (const [what, other] of [
    ['another number', { numero_notificacao: '124' }],
    ['another day', { data_notificacao: '2026-03-13' }],
    ['another disease', { tipo_agravo: 'zika' }],
  ] as [string, Partial<Campos>][])
    it(`does not open in a case of ${what}`, () => {
      const { sigilo } = seal(cipher, chaves, CASO)
      assert.throws(() => unseal(cipher, { ...CASO, ...other, sigilo }))
    })

  it('does not open under another key, or changed by one bit', () => {
    const { sigilo } = seal(cipher, chaves, CASO)
    assert.throws(() => unseal(createCipher(Buffer.alloc(32, 8)), { ...CASO, sigilo }))
    const changed = Buffer.from(sigilo as Buffer)
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30)
    assert.throws(() => unseal(cipher, { ...CASO, sigilo: changed }))
  })
})
