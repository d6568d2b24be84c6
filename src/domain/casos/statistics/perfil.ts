export {
  type CasosDosIndicadores,
  type CelulaContada,
  type ClasseContada,
  countIndicadores,
  type SorotipoContado,
} from './perfil.sql.ts'
