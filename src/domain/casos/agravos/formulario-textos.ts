import type { Language } from '../../../errors/texts.ts'
import type { BlocoDeCampos, Definicao } from './definicao.ts'

/** Headings of the blocks of standard fields, and the onset as each disease means it. */

type Texto = Record<Language, string>
const texto = (pt: string, en: string, es: string): Texto => ({ 'pt-BR': pt, 'en-US': en, 'es-ES': es })

export const TITULOS: Record<BlocoDeCampos, Texto> = {
  notificacao: texto('Notificação', 'Notification', 'Notificación'),
  paciente: texto('Paciente', 'Patient', 'Paciente'),
  residencia: texto('Residência', 'Residence', 'Residencia'),
  conclusao: texto('Conclusão', 'Conclusion', 'Conclusión'),
  unidade: texto('Unidade notificante', 'Notifying unit', 'Unidad notificadora'),
  infeccao: texto(
    'Local provável da infecção',
    'Probable place of infection',
    'Lugar probable de la infección',
  ),
  hospitalizacao: texto('Hospitalização', 'Hospitalisation', 'Hospitalización'),
  gestacao: texto('Gestação', 'Pregnancy', 'Embarazo'),
  arbovirus_clinico: texto('Quadro clínico', 'Clinical picture', 'Cuadro clínico'),
  arbovirus_laboratorio: texto('Laboratório', 'Laboratory', 'Laboratorio'),
  investigacao: texto('Investigação', 'Investigation', 'Investigación'),
}

export const INICIO: Record<Definicao['data_de_inicio'], Texto> = {
  sintomas: texto('Data dos primeiros sintomas', 'Date of first symptoms', 'Fecha de los primeros síntomas'),
  diagnostico: texto('Data do diagnóstico', 'Date of diagnosis', 'Fecha del diagnóstico'),
}
