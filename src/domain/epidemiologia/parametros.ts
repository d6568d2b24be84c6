export {
  type ChaveDosParametros,
  keepParametros,
  listParametros,
  type ParametrosGuardados,
} from './parametros.sql.ts'
