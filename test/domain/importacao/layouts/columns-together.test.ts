import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CANONICAL_NAMES, SINAN_COLUMNS } from '../../../../src/domain/importacao/layouts/columns.ts'
import { avisosOf, casoOf, type Linha, layoutOf, SINAN } from './rows.ts'

const CHIK: Linha = { ...SINAN, ID_AGRAVO: 'A92.0' }
const ZIKA: Linha = { ...SINAN, ID_AGRAVO: 'A928' }

describe('columns together', () => {
  const alarme = (linha: Linha) => casoOf({ ...SINAN, ...linha })['dados_especificos.sinais_alarme']

  it('one warning sign is enough; none of those answered is none; no answer is unknown', () => {
    assert.equal(alarme({ ALRM_HIPOT: '2', ALRM_VOM: '1', ALRM_LIQ: '2' }), true)
    assert.equal(alarme({ ALRM_HIPOT: '2', ALRM_VOM: '2' }), false)
    assert.equal(alarme({ ALRM_HIPOT: '2', ALRM_VOM: '' }), false)
    assert.equal(alarme({ ALRM_HIPOT: '', ALRM_VOM: 'NA' }), null)
    assert.equal(alarme({}), null)
  })

  it('the second serum of chikungunya overrides the first, with its date, unless it was not made', () => {
    const igm = (linha: Linha) => {
      const campos = casoOf({ ...CHIK, DT_CHIK_S1: '2024-04-22', DT_CHIK_S2: '2024-04-24', ...linha })
      return [campos['dados_laboratoriais.igm'], campos['dados_laboratoriais.data_igm']]
    }
    assert.deepEqual(igm({ RES_CHIKS1: '2', RES_CHIKS2: '1' }), ['positivo', '2024-04-24'])
    assert.deepEqual(igm({ RES_CHIKS2: '3', RES_CHIKS1: '1' }), ['inconclusivo', '2024-04-24'])
    assert.deepEqual(igm({ RES_CHIKS1: '1', RES_CHIKS2: '4' }), ['positivo', '2024-04-22'])
    assert.deepEqual(igm({ RES_CHIKS1: '1', RES_CHIKS2: '' }), ['positivo', '2024-04-22'])
    assert.deepEqual(igm({ RES_CHIKS1: '', RES_CHIKS2: '4' }), ['nao_realizado', '2024-04-22'])
  })

  it('a serum of the other disease is not read', () => {
    assert.equal(casoOf({ ...SINAN, RES_CHIKS1: '1' })['dados_laboratoriais.igm'], null)
    assert.equal(casoOf({ ...CHIK, RESUL_SORO: '1' })['dados_laboratoriais.igm'], null)
  })

  it('the older column counts only where the newer one is silent', () => {
    const petequias = (nova: string, antiga: string) =>
      casoOf({ ...SINAN, PETEQUIAS: antiga, PETEQUIA_N: nova })['dados_especificos.petequias']
    assert.deepEqual([petequias('2', '1'), petequias('', '1')], [false, true])
    const laco = (nova: string, antiga: string) =>
      casoOf({ ...SINAN, LACO_N: antiga, LACO: nova })['dados_especificos.prova_laco']
    assert.deepEqual([laco('2', '1'), laco('', '1'), laco('', '')], ['negativa', 'positiva', 'nao_realizada'])
  })

  it('a year of birth is not a birth date', () =>
    assert.equal(casoOf({ ...SINAN, ANO_NASC: '1974' }).paciente_data_nascimento, null))

  it('with a birth date the age is that at the onset', () => {
    const { paciente_idade } = casoOf({ ...SINAN, DT_NASC: '22/4/1990', NU_IDADE_N: '4033' })
    assert.equal(paciente_idade, 33)
  })

  it('zika, which has no such columns, tells no symptoms at all', () => {
    const campos = casoOf(ZIKA)
    for (const [nome, value] of Object.entries(campos))
      if (nome.startsWith('dados_')) assert.equal(value, null, nome)
  })

  it('what is personal beyond need is taken into no field', () => {
    const pessoais = [
      'NM_MAE_PAC',
      'ID_CNS_SUS',
      'NU_DDD_TEL',
      'NU_TELEFON',
      'NM_COMPLEM',
      'NM_REFEREN',
      'DS_OBS',
    ]
    const campos = casoOf({ ...SINAN, ...Object.fromEntries(pessoais.map((nome) => [nome, 'SEGREDO'])) })
    assert.ok(!JSON.stringify(campos).includes('SEGREDO'))
  })
})

describe('names of columns', () => {
  for (const [outro, nome] of CANONICAL_NAMES) {
    if (outro === nome) continue
    it(`${outro} is ${nome}`, () => {
      const { [nome]: _, ...rest } = SINAN
      const here = layoutOf([...Object.keys(rest), nome])
      const there = layoutOf([...Object.keys(rest), outro.toLowerCase()])
      assert.deepEqual(there.fields, here.fields)
      assert.deepEqual(there.avisos, here.avisos)
    })
  }

  it('no name is written for two columns', () => {
    const all = Object.entries(SINAN_COLUMNS).flatMap(([nome, { otherNames = [] }]) => [nome, ...otherNames])
    assert.equal(new Set(all).size, all.length)
  })

  it('the misprints of the dictionary and accents are the same columns', () => {
    const { PETEQUIA_N: _, ...linha } = { ...SINAN, PETÉQUIA_N: '1', ÁCIDO_PEPT: '1', PETEQUIA_N: '' }
    const campos = casoOf(linha)
    assert.equal(campos['dados_especificos.petequias'], true)
    assert.deepEqual(campos['dados_clinicos.comorbidades'], ['doenca_acido_peptica'])
    assert.deepEqual(avisosOf(linha), [])
  })
})
