import type { Language } from '../../../errors/texts.ts'
import { VALORES as EN } from '../rotulos/valores-en-US.ts'
import { VALORES as ES } from '../rotulos/valores-es-ES.ts'
import { VALORES as PT } from '../rotulos/valores-pt-BR.ts'

/** Codes of the vocabulary that only shipped diseases need, in the languages that the vocabulary itself does not have. */
const DOS_MODELOS: Record<string, readonly [en: string, es: string]> = {
  febre_amarela_silvestre: ['Sylvatic yellow fever', 'Fiebre amarilla selvática'],
  febre_amarela_urbana: ['Urban yellow fever', 'Fiebre amarilla urbana'],
  sifilis_congenita_recente: ['Early congenital syphilis', 'Sífilis congénita temprana'],
  sifilis_congenita_tardia: ['Late congenital syphilis', 'Sífilis congénita tardía'],
  aborto_por_sifilis: ['Abortion by syphilis', 'Aborto por sífilis'],
  natimorto_por_sifilis: ['Stillbirth by syphilis', 'Mortinato por sífilis'],
  clinico: ['Clinical', 'Clínico'],
  vivo: ['Alive', 'Vivo'],
  abandono: ['Lost to follow-up', 'Abandono'],
  transferencia: ['Transferred', 'Traslado'],
  mudanca_diagnostico: ['Change of diagnosis', 'Cambio de diagnóstico'],
  aborto: ['Abortion', 'Aborto'],
  natimorto: ['Stillbirth', 'Mortinato'],
  tb_drogarresistente: ['Drug-resistant tuberculosis', 'TB farmacorresistente'],
  mudanca_esquema: ['Change of regimen', 'Cambio de esquema'],
  falencia: ['Treatment failure', 'Fracaso del tratamiento'],
  abandono_primario: ['Primary loss to follow-up', 'Abandono primario'],
  obito_sem_causa: ['Death, cause not stated', 'Defunción sin causa informada'],
}

const VALORES: Record<Language, Readonly<Record<string, string>>> = {
  'pt-BR': PT,
  'en-US': { ...EN, ...wordsAt(0) },
  'es-ES': { ...ES, ...wordsAt(1) },
}

function wordsAt(language: 0 | 1): Record<string, string> {
  return Object.fromEntries(Object.entries(DOS_MODELOS).map(([codigo, words]) => [codigo, words[language]]))
}

/** Words of a code that every installation has. */
export const wordsOf = (codigo: string, language: Language): string | undefined =>
  Object.hasOwn(VALORES[language], codigo) ? VALORES[language][codigo] : undefined
